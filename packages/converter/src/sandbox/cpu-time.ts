import { readProcFile } from './proc-files.ts'

// CPU seconds of each process by itself, as the kernel's own limit (RLIMIT_CPU) counts them; and of a process with the
// children that it has waited for, for the meter.

const ticksPerSecond = 100

export function cpuSecondsByProcess(processes: readonly number[]): Map<number, number> {
  const used = processes.map(cpuSecondsOf)
  return new Map(processes.flatMap((pid, index) => (used[index] === undefined ? [] : [[pid, used[index]]])))
}

/** The CPU time of all processes together, without the time that each had used before. */
export function totalCpuSeconds(
  processes: readonly number[],
  usedBefore: ReadonlyMap<number, number> | undefined,
): number {
  const used = [...cpuSecondsByProcess(processes)]
  return used.reduce((sum, [pid, seconds]) => sum + seconds - (usedBefore?.get(pid) ?? 0), 0)
}

/** Has any single process used more than `seconds`, without the time that it had used before? */
export function exceedsCpuTime(
  processes: readonly number[],
  { seconds, usedBefore }: { seconds: number; usedBefore: ReadonlyMap<number, number> },
): boolean {
  return [...cpuSecondsByProcess(processes)].some(
    ([pid, used]) => used - (usedBefore.get(pid) ?? 0) > seconds,
  )
}

/** The CPU time of these processes and of all children that they have waited for. */
export function cpuSecondsWithChildren(processes: readonly number[]): number {
  return processes.reduce((sum, pid) => {
    const [own, children] = timesOf(pid) ?? [0, 0]
    return sum + own + children
  }, 0)
}

/** Undefined when the process has ended. */
const cpuSecondsOf = (pid: number): number | undefined => timesOf(pid)?.[0]

function timesOf(pid: number): [own: number, children: number] | undefined {
  const status = readProcFile(`/proc/${pid}/stat`)
  if (status === '') return undefined
  // The name, in parentheses, may contain anything. After it come the third field and the following ones.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  return [(user + system) / ticksPerSecond, (childUser + childSystem) / ticksPerSecond]
}
