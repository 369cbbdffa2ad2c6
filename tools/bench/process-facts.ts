import { readdir, readFile } from 'node:fs/promises'

// Facts about a process from /proc. CPU time is the most stable figure on a busy machine: it does not include waiting.

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
async function statFields(pid: number): Promise<string[]> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

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
