export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
}

/** A small generator of good quality for tests (mulberry32): the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  }
}
