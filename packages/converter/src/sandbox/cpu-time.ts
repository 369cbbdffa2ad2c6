import { readProcFile } from './proc-files.ts'

// CPU seconds of each process by itself, as the kernel's own limit (RLIMIT_CPU) counts them.

const ticksPerSecond = 100

export function cpuSecondsByProcess(processes: readonly number[]): Map<number, number> {
  const used = processes.map(cpuSecondsOf)
  return new Map(processes.flatMap((pid, index) => (used[index] === undefined ? [] : [[pid, used[index]]])))
}

/** Of all processes together, without what each had used before. */
export function totalCpuSeconds(
  processes: readonly number[],
  usedBefore: ReadonlyMap<number, number> | undefined,
): number {
  const used = [...cpuSecondsByProcess(processes)]
  return used.reduce((sum, [pid, seconds]) => sum + seconds - (usedBefore?.get(pid) ?? 0), 0)
}

/** Has any one process used more than `seconds`, not counting what it had used before? */
export function exceedsCpuTime(
  processes: readonly number[],
  { seconds, usedBefore }: { seconds: number; usedBefore: ReadonlyMap<number, number> },
): boolean {
  return [...cpuSecondsByProcess(processes)].some(
    ([pid, used]) => used - (usedBefore.get(pid) ?? 0) > seconds,
  )
}

/** Undefined when the process has ended. */
function cpuSecondsOf(pid: number): number | undefined {
  const status = readProcFile(`/proc/${pid}/stat`)
  // The name, in parentheses, may contain anything. After it come the third field and the following ones.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return status === '' ? undefined : (user + system) / ticksPerSecond
}
