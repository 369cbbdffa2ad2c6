// How long an event waits after an attempt that failed: ever longer, for a day in all.

const minute = 60
const hour = 60 * minute
const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour]

/** Seconds until the next attempt, or null when this was the last one. Spread, so that many do not come at once. */
export function pauseAfter(attempts: number, random: () => number = Math.random): number | null {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : pause * (0.9 + 0.2 * random())
}
