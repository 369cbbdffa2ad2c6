import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// Facts about processes from /proc. CPU time is the most stable figure on a busy machine: it does not include waiting.

const ticksPerSecond = 100

/** CPU milliseconds of a process, including its exited children. */
export async function cpuMs(pid: number): Promise<number> {
  const fields = await statFields(pid)
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return ((user + system + endedUser + endedSystem) * 1000) / ticksPerSecond
}

/** CPU milliseconds of a process and of its children, such as PostgreSQL and its backends. */
export async function cpuMsWithChildren(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const times = pids.map(async (each) => {
    try {
      if (each !== pid && Number((await statFields(each))[1]) !== pid) return 0
      return await cpuMs(each)
    } catch {
      return 0 // It exited in the meantime.
    }
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/** Fields of /proc/PID/stat after the name, which may contain any characters: state, parent, … */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

const statFields = async (pid: number): Promise<string[]> =>
  fieldsOf(await readFile(`/proc/${pid}/stat`, 'utf8'))

/**
 * The returned function returns the share of the machine that other processes have used since; `own` returns our CPU
 * milliseconds.
 */
export async function watchOthers(own: () => Promise<number>): Promise<() => Promise<number>> {
  const [before, ownBefore] = [await machineTimes(), await own()]
  return async () => {
    const [after, ownAfter] = [await machineTimes(), await own()]
    const others = after.busyMs - before.busyMs - (ownAfter - ownBefore)
    return Math.max(0, others / (after.totalMs - before.totalMs))
  }
}

async function machineTimes(): Promise<{ busyMs: number; totalMs: number }> {
  const [line] = (await readFile('/proc/stat', 'utf8')).split('\n', 1) as [string]
  // user nice system idle iowait irq softirq steal
  const times = line
    .trim()
    .split(/ +/)
    .slice(1, 9)
    .map((ticks) => (Number(ticks) * 1000) / ticksPerSecond)
  const total = times.reduce((sum, time) => sum + time, 0)
  return { busyMs: total - (times[3] ?? 0) - (times[4] ?? 0), totalMs: total }
}

// CPU time of a process and all its descendants, including those that exit in a sandbox, where the times of exited
// processes are not passed on to their parents. It is sampled often, and the last sample of each counts.

export interface TreeWatch {
  /** CPU milliseconds since the watch began, by process name. */
  stop(): Promise<Record<string, number>>
}

const everyMilliseconds = 10

/** `leftOut` are processes that only measure. */
export async function watchTree(root: number, leftOut: readonly number[] = []): Promise<TreeWatch> {
  const latest = new Map<number, { program: string; milliseconds: number }>()
  const look = async (pid: number): Promise<void> => {
    const [stat, children] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
      childrenOf(pid),
    ])
    if (stat === null) return
    const [user, system] = fieldsOf(stat).slice(11, 13).map(Number) as [number, number]
    const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    latest.set(pid, { program, milliseconds: ((user + system) * 1000) / ticksPerSecond })
    await Promise.all(children.filter((each) => !leftOut.includes(each)).map(look))
  }
  await look(root)
  const before = new Map(latest)
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      await sleep(everyMilliseconds)
      await look(root)
    }
  })()
  return {
    async stop() {
      stopped = true
      await watching
      await look(root)
      const used: Record<string, number> = {}
      for (const [pid, { program, milliseconds }] of latest) {
        // A process keeps its CPU time when it executes another program.
        const since = milliseconds - (before.get(pid)?.milliseconds ?? 0)
        if (since > 0) used[program] = (used[program] ?? 0) + since
      }
      return used
    },
  }
}

const memoryEveryMilliseconds = 100

/** The largest of the values that are read during the work. */
async function peakDuring(
  work: () => Promise<unknown>,
  milliseconds: number,
  read: () => number | Promise<number>,
): Promise<number> {
  let [peak, isOver] = [0, false]
  const done = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    peak = Math.max(peak, await read())
    await sleep(milliseconds)
  }
  await done
  return peak
}

/** Peak memory of a process and all its descendants at one time, in MB. Shared memory counts once. */
export const peakMemory = (root: number, work: () => Promise<unknown>): Promise<number> =>
  peakDuring(work, memoryEveryMilliseconds, () => memoryOf(root))

async function memoryOf(pid: number): Promise<number> {
  const [text, children] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''),
    childrenOf(pid),
  ])
  const own = kilobytes(text, 'Pss') / 1024
  const others = await Promise.all(children.map(memoryOf))
  return others.reduce((sum, each) => sum + each, own)
}

/** Children belong to threads: LibreOffice's first program starts the second from a thread. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.join(' ').split(' ').filter(Boolean).map(Number)
}

/** Sum over all programs. */
export const totalOf = (used: Record<string, number>): number =>
  Object.values(used).reduce((sum, each) => sum + each, 0)

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

/** The largest value of a short-lived process of this name, in MB. */
function peakOf(
  name: string,
  before: readonly string[],
  read: (pid: string) => number,
  work: () => Promise<void>,
): Promise<number> {
  const sizeOf = (pid: string): number => {
    try {
      return read(pid) / 1024
    } catch {
      // It exited in the meantime.
      return 0
    }
  }
  const started = () => processesNamed(name).filter((pid) => !before.includes(pid))
  return peakDuring(work, everyMilliseconds, () => Math.max(0, ...started().map(sizeOf)))
}

/** Peak private memory of a child, in MB. */
export const maxPrivateMB = (work: () => Promise<void>): Promise<number> =>
  peakOf(
    'kiln-document',
    [],
    (pid) => {
      const sums = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      return kilobytes(sums, 'Private_Dirty') + kilobytes(sums, 'Private_Clean')
    },
    work,
  )

/** Peak memory of a soffice.bin that is started during `work`, in MB. */
export const maxResidentMB = (work: () => Promise<void>): Promise<number> =>
  peakOf(
    'soffice.bin',
    processesNamed('soffice.bin'),
    (pid) => kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmHWM'),
    work,
  )

/** Private memory of the most recently started fork server, in MB. */
export function serverMB(): number {
  const pid = processesNamed('kiln-office').toSorted((a, b) => Number(b) - Number(a))[0]
  if (pid === undefined) throw new Error('There is no fork server.')
  return kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'RssAnon') / 1024
}
