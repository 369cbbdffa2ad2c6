// What comes in over a day. Random numbers come from a seed, so that a day can be had again.

export interface Job {
  arrives: number
  /** For how long it holds its slot. */
  seconds: number
}

export interface Kind {
  share: number
  /** The mean; the sizes of files spread it exponentially. */
  seconds: number
}

/** Numbers from 0 up to 1, the same for the same seed: Marsaglia's xorshift of 32 bits. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 2654435761) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const exponential = (random: () => number, mean: number) => -Math.log(1 - random()) * mean

/** Arrivals at a rate that changes with time: those of the highest rate, thinned. */
export function arrivals(
  {
    seconds,
    highest,
    rate,
    kinds,
  }: { seconds: number; highest: number; rate: (at: number) => number; kinds: readonly Kind[] },
  random: () => number,
): Job[] {
  const jobs: Job[] = []
  for (let at = exponential(random, 1 / highest); at < seconds; at += exponential(random, 1 / highest)) {
    if (random() * highest > rate(at)) continue
    jobs.push({ arrives: at, seconds: jobSeconds(kinds, random) })
  }
  return jobs
}

export const jobSeconds = (kinds: readonly Kind[], random: () => number): number =>
  exponential(random, pick(kinds, random()).seconds)

function pick(kinds: readonly Kind[], place: number): Kind {
  let below = 0
  for (const kind of kinds) {
    below += kind.share
    if (place < below) return kind
  }
  return kinds.at(-1) as Kind
}

const bell = (hour: number, middle: number, width: number) => Math.exp(-(((hour - middle) / width) ** 2) / 2)

/** The share of the day's highest rate: little at night, most at half past ten, and a lower hill after lunch. */
export function shareOfPeak(at: number): number {
  const hour = at / 3600
  return Math.min(1, 0.05 + 0.95 * bell(hour, 10.5, 1.4) + 0.6 * bell(hour, 15, 1.6))
}
