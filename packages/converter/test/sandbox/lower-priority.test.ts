// @module-tag slow

import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'
import { describeAtLevels } from '../describe-at-levels.ts'

// A sandbox that uses much CPU time gets a lower priority than others, with all its processes and threads. A sandbox
// that waits, or that runs alone, does not.

const megabyte = 1024 * 1024
const limits = {
  wallSeconds: 60,
  cpuSeconds: 30,
  memoryBytes: 256 * megabyte,
  processes: 40,
  fileBytes: megabyte,
  diskBytes: megabyte,
  logBytes: 1000,
}

const lowest = Math.min(19, getPriority() + 5)

interface Seen {
  threads: number[]
  sessions: number[]
  states: string[]
}

type Start = (...args: string[]) => Promise<void>

describeAtLevels('%s', (level) => {
  /** Boxes at work, one of them with a mark, which end with the test. */
  const withSandboxes = async <T>(test: (start: Start, mark: string) => Promise<T>): Promise<T> => {
    const root = await mkdtemp(join(tmpdir(), 'kiln-give-way-'))
    await chmod(root, 0o711)
    const sandbox = await createSandbox(level, await findEngineUser())
    const stop = new AbortController()
    const runs: Promise<unknown>[] = []
    const start: Start = async (...args) => {
      const folder = join(root, String(runs.length))
      const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
      for (const each of [inFolder, outFolder]) await mkdir(each, { recursive: true })
      const spec = { program: 'perl', args: ['-e', ...args], limits, signal: stop.signal }
      runs.push(sandbox.run({ ...spec, inFolder, outFolder }))
    }
    try {
      return await test(start, `mark-${root.slice(-6)}`)
    } finally {
      stop.abort()
      await Promise.all(runs)
      await sandbox.close()
      await rm(root, { recursive: true, force: true })
    }
  }
  const waits = { timeout: 55_000, interval: 20 }
  /** The script's priorities as soon as they are as expected, beside other programs. */
  const priorities = (script: string, others: readonly string[], until: (seen: Seen) => boolean) =>
    withSandboxes(async (start, mark) => {
      await start(script, mark)
      for (const other of others) await start(other)
      let seen: Seen = { threads: [], sessions: [], states: [] }
      const isSeen = () => {
        seen = look(mark)
        return until(seen)
      }
      await expect.poll(isSeen, waits).toBe(true)
      return seen
    })
  const after = (milliseconds: number) => {
    const began = performance.now()
    return ({ threads }: Seen) => threads.length === 1 && performance.now() - began > milliseconds
  }

  test('all that a busy program has started gives way', async () => {
    // The threads come first, the session's group after them.
    const bothDo = ({ threads, sessions }: Seen) =>
      threads.length === 2 && threads.every((each) => each === lowest) && sessions.every((each) => each === 5)
    await priorities('fork; 1 while 1', ['sleep 60'], bothDo)
  })

  test('what has taken little does not, however long it has been there', async () => {
    const { threads } = await priorities('sleep 60', ['sleep 60'], after(3000))
    expect(threads).toEqual([getPriority()])
  })

  test('what is alone does not', async () => {
    const { threads } = await priorities('1 while 1', [], after(4000))
    expect(threads).toEqual([getPriority()])
  })

  test('what has worked for long pauses while more small ones work than there are cores', async () => {
    await withSandboxes(async (start, mark) => {
      const small = 'sleep 60'
      await start('1 while 1', mark)
      await start(small)
      const state = () => look(mark).states.join()
      await expect.poll(() => look(mark).threads, waits).toEqual([lowest])
      // The other one has been there for long by then, and does nothing.
      await expect.poll(state, waits).toBe('R')
      for (let n = 0; n < availableParallelism(); n++) await start(small)
      await expect.poll(state, waits).toBe('T')
      // They have existed for a while, and do nothing.
      await pause(4000)
      await expect.poll(state, waits).toBe('R')
    })
  })
})

function look(mark: string): Seen {
  const seen: Seen = { threads: [], sessions: [], states: [] }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!words[0]?.endsWith('perl') || !words.includes(mark)) continue
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
        seen.threads.push(Number(fields?.[16]))
        seen.states.push(String(fields?.[0]))
      }
      const session = /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]
      if (session !== undefined) seen.sessions.push(Number(session))
    } catch {
      // It has ended, or the kernel has no such groups.
    }
  }
  return seen
}
