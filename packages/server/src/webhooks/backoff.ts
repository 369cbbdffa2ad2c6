// The backoff between the attempts to deliver an event, over a day in total.

const minute = 60
const hour = 60 * minute
const delays = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour]

/** Seconds until the next attempt, with jitter; null when this was the last one. */
export function backoffAfter(attempts: number, random: () => number = Math.random): number | null {
  const delay = delays[attempts - 1]
  return delay === undefined ? null : delay * (0.9 + 0.2 * random())
}
