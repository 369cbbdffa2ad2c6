import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'

// A box that takes much processor time gives way to another, with every process and thread in it. One that waits does
// not, nor does one that is alone.

const megabyte = 1024 * 1024
const limits = {
  ...{ wallSeconds: 60, cpuSeconds: 30, memoryBytes: 256 * megabyte, processes: 40 },
  ...{ fileBytes: megabyte, diskBytes: megabyte, logBytes: 1000 },
}

const lowest = Math.min(19, getPriority() + 5)

interface Seen {
  threads: number[]
  sessions: number[]
}

describe.each(['bubblewrap', 'landlock'] as const)('%s', (level) => {
  /** The script's priorities as soon as they are as expected, beside other programs. */
  const priorities = async (
    script: string,
    others: readonly string[],
    until: (seen: Seen) => boolean,
  ): Promise<Seen> => {
    const root = await mkdtemp(join(tmpdir(), 'kiln-give-way-'))
    await chmod(root, 0o711)
    const mark = `mark-${root.slice(-6)}`
    const sandbox = await createSandbox(level, await findEngineUser())
    const stop = new AbortController()
    const start = async (name: string, ...args: string[]) => {
      const [inFolder, outFolder] = [join(root, name, 'in'), join(root, name, 'out')]
      for (const folder of [inFolder, outFolder]) await mkdir(folder, { recursive: true })
      const box = { program: 'perl', args: ['-e', ...args], limits, signal: stop.signal }
      return { running: sandbox.run({ ...box, inFolder, outFolder }) }
    }
    try {
      const boxes = [await start('own', script, mark)]
      for (const [index, other] of others.entries()) boxes.push(await start(String(index), other))
      let seen: Seen = { threads: [], sessions: [] }
      const isSeen = () => {
        seen = look(mark)
        return until(seen)
      }
      await expect.poll(isSeen, { timeout: 55_000, interval: 50 }).toBe(true)
      stop.abort()
      for (const { running } of boxes) await running
      return seen
    } finally {
      await sandbox.close()
      await rm(root, { recursive: true, force: true })
    }
  }
  const after = (milliseconds: number) => {
    const began = performance.now()
    return ({ threads }: Seen) => threads.length === 1 && performance.now() - began > milliseconds
  }

  test('all that a busy program has started gives way', async () => {
    const bothDo = ({ threads }: Seen) => threads.length === 2 && threads.every((each) => each === lowest)
    const { threads, sessions } = await priorities('fork; 1 while 1', ['sleep 60'], bothDo)
    expect(threads).toEqual([lowest, lowest])
    expect(sessions.every((each) => each === 5)).toBe(true)
  })

  test('what has taken little does not, however long it has been there', async () => {
    const { threads } = await priorities('sleep 60', ['sleep 60'], after(3000))
    expect(threads).toEqual([getPriority()])
  })

  test('what is alone does not', async () => {
    const { threads } = await priorities('1 while 1', [], after(4000))
    expect(threads).toEqual([getPriority()])
  })
})

function look(mark: string): Seen {
  const seen: Seen = { threads: [], sessions: [] }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!words[0]?.endsWith('perl') || !words.includes(mark)) continue
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
        seen.threads.push(Number(fields?.[16]))
      }
      const session = /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]
      if (session !== undefined) seen.sessions.push(Number(session))
    } catch {
      // It has ended, or the kernel has no such groups.
    }
  }
  return seen
}
