import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

// The memory of short-lived processes, sampled from /proc while they run.

const everyMilliseconds = 10

const kilobytes = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)

function processesNamed(name: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      return readFileSync(`/proc/${entry}/comm`, 'utf8').trim() === name
    } catch {
      return false
    }
  })
}

async function peakOf(
  name: string,
  read: (pid: string) => number,
  work: () => Promise<void>,
): Promise<number> {
  const before = new Set(name === 'kiln-document' ? [] : processesNamed(name))
  let working = true
  let largest = 0
  const done = work().finally(() => {
    working = false
  })
  while (working) {
    for (const pid of processesNamed(name)) {
      if (before.has(pid)) continue
      try {
        largest = Math.max(largest, read(pid))
      } catch {
        // It exited in the meantime.
      }
    }
    await delay(everyMilliseconds)
  }
  await done
  return largest / 1024
}

/** Peak private memory of a child, in MB. */
export const maxPrivateMB = (work: () => Promise<void>): Promise<number> =>
  peakOf(
    'kiln-document',
    (pid) => {
      const sums = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      return kilobytes(sums, 'Private_Dirty') + kilobytes(sums, 'Private_Clean')
    },
    work,
  )

/** Peak memory of a soffice.bin that is started during `work`, in MB. */
export const maxResidentMB = (work: () => Promise<void>): Promise<number> =>
  peakOf('soffice.bin', (pid) => kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmHWM'), work)

/** Private memory of the most recently started fork server, in MB. */
export function serverMB(): number {
  const pid = processesNamed('kiln-office').toSorted((a, b) => Number(b) - Number(a))[0]
  if (pid === undefined) throw new Error('There is no fork server.')
  return kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'RssAnon') / 1024
}
