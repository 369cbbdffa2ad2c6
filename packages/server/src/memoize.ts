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
