import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// CPU time of a process and of all that it starts, also of what ends meanwhile in a sandbox, where
// the times of ended processes are not passed on to their parents. It is read often, and the last reading counts.

export interface TreeWatch {
  /** CPU milliseconds since the watch began. */
  stop(): Promise<number>
}

const everyMilliseconds = 10
const millisecondsPerTick = 10

/** Processes that are left out are those that only look. */
export async function watchTree(root: number, leftOut: readonly number[] = []): Promise<TreeWatch> {
  const latest = new Map<number, number>()
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
    latest.set(pid, (user + system) * millisecondsPerTick)
    await Promise.all(children.filter((each) => !leftOut.includes(each)).map(look))
  }
  const sum = () => [...latest.values()].reduce((total, time) => total + time, 0)
  await look(root)
  const before = sum()
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
      return sum() - before
    },
  }
}

/** Each thread has children of its own: LibreOffice's first program starts the second from one. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.join(' ').split(' ').filter(Boolean).map(Number)
}
