/**
 * Caches the result of `load` for this time after it was loaded; concurrent callers share one load. For expensive
 * queries with few different arguments and many callers. A rejection is cached like a value.
 */
export function ttlCache<Args extends [] | [string], Value>(
  milliseconds: number,
  load: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const entries = new Map<string | undefined, { value: Promise<Value>; expiresAt: number }>()
  return (...args) => {
    const cached = entries.get(args[0])
    if (cached && performance.now() < cached.expiresAt) return cached.value
    const entry = { value: load(...args), expiresAt: Number.POSITIVE_INFINITY }
    const startTtl = () => {
      entry.expiresAt = performance.now() + milliseconds
    }
    entry.value.then(startTtl, startTtl)
    entries.set(args[0], entry)
    return entry.value
  }
}

/** Computes the value with the first call and shares it with later ones. After a rejection the next call tries again. */
export function memoize<T>(compute: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= compute().catch((error) => {
      result = null
      throw error
    })
    return result
  }
}
