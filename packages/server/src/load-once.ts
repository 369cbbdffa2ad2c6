/** Loads with the first call, for everybody who calls. What could not be loaded is tried again with the next call. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null
      throw error
    })
    return loaded
  }
}
