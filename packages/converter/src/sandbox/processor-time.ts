import { readFile } from 'node:fs/promises'

// Processor seconds of each process by itself, as the kernel's own limit counts them.

const ticksPerSecond = 100

export async function processorSeconds(processes: readonly number[]): Promise<Map<number, number>> {
  const used = await Promise.all(processes.map(secondsOf))
  return new Map(processes.flatMap((pid, index) => (used[index] === undefined ? [] : [[pid, used[index]]])))
}

/** Of all together, above what each had used before. */
export async function usedTogether(
  processes: readonly number[],
  usedBefore: ReadonlyMap<number, number> | undefined,
): Promise<number> {
  const used = [...(await processorSeconds(processes))]
  return used.reduce((sum, [pid, seconds]) => sum + seconds - (usedBefore?.get(pid) ?? 0), 0)
}

export async function usedMore(
  processes: readonly number[],
  { seconds, usedBefore }: { seconds: number; usedBefore: ReadonlyMap<number, number> },
): Promise<boolean> {
  const now = await processorSeconds(processes)
  return [...now].some(([pid, used]) => used - (usedBefore.get(pid) ?? 0) > seconds)
}

/** Nothing when the process has ended. */
async function secondsOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name, in parentheses, may hold anything. What follows it are the third field and those after it.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return status === '' ? undefined : (user + system) / ticksPerSecond
}
