// Calls to a storage that is far away take their time one by one; a few at once do not.

const atOnce = 16

/** In order, a few at once. The first error ends it when those under way have ended. */
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
