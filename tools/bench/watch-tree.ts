import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// CPU time of a process and all its descendants, including those that exit in a sandbox, where the times of exited
// processes are not passed on to their parents. It is sampled often, and the last sample of each counts.

export interface TreeWatch {
  /** CPU milliseconds since the watch began, by process name. */
  stop(): Promise<Record<string, number>>
}

const everyMilliseconds = 10
const millisecondsPerTick = 10

/** `leftOut` are processes that only measure. */
export async function watchTree(root: number, leftOut: readonly number[] = []): Promise<TreeWatch> {
  const latest = new Map<number, { program: string; milliseconds: number }>()
  const look = async (pid: number): Promise<void> => {
    const [stat, children] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
      childrenOf(pid),
    ])
    if (stat === null) return
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) as [number, number]
    const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    latest.set(pid, { program, milliseconds: (user + system) * millisecondsPerTick })
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

/** Peak memory of a process and all its descendants at one time, in MB. Shared memory counts once. */
export async function peakMemory(root: number, work: () => Promise<unknown>): Promise<number> {
  let [peak, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await memoryOf(root))
      await sleep(memoryEveryMilliseconds)
    }
  })()
  await work()
  isOver = true
  await watching
  return peak
}

async function memoryOf(pid: number): Promise<number> {
  const [text, children] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''),
    childrenOf(pid),
  ])
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024
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
