// Calls to a remote storage are dominated by latency, so a few of them run concurrently.

const atOnce = 16

/**
 * The results in order, computed a few at a time. After an error no further item is started; it is thrown when the
 * running ones have ended.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const one = async () => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, one))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}
