import { readProcFile } from './proc-files.ts'

// Processor seconds of each process by itself, as the kernel's own limit counts them.

const ticksPerSecond = 100

export function processorSeconds(processes: readonly number[]): Map<number, number> {
  const used = processes.map(secondsOf)
  return new Map(processes.flatMap((pid, index) => (used[index] === undefined ? [] : [[pid, used[index]]])))
}

/** Of all together, above what each had used before. */
export function usedTogether(
  processes: readonly number[],
  usedBefore: ReadonlyMap<number, number> | undefined,
): number {
  const used = [...processorSeconds(processes)]
  return used.reduce((sum, [pid, seconds]) => sum + seconds - (usedBefore?.get(pid) ?? 0), 0)
}

export function usedMore(
  processes: readonly number[],
  { seconds, usedBefore }: { seconds: number; usedBefore: ReadonlyMap<number, number> },
): boolean {
  return [...processorSeconds(processes)].some(([pid, used]) => used - (usedBefore.get(pid) ?? 0) > seconds)
}

/** Nothing when the process has ended. */
function secondsOf(pid: number): number | undefined {
  const status = readProcFile(`/proc/${pid}/stat`)
  // The name, in parentheses, may hold anything. What follows it are the third field and those after it.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return status === '' ? undefined : (user + system) / ticksPerSecond
}
