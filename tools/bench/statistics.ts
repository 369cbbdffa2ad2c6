// Medians rather than means: a benchmark shares its machine with other processes.

export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('There is no percentile of nothing.')
  const sorted = values.toSorted((a, b) => a - b)
  const index = Math.ceil((percent / 100) * sorted.length) - 1
  return sorted[Math.max(0, index)] as number
}

export const median = (values: readonly number[]): number => percentile(values, 50)

/** Milliseconds on a monotonic clock that all processes of the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Offset of the wall clock from the monotonic clock. Waits for the wall clock's next millisecond. */
export function wallClockOffsetMs(): number {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return now - monotonicMs()
}
