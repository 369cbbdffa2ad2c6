/** Groups items that are connected, directly or through others; `connect` reports pairs of connected items by index. */
export function groupConnected<T>(
  items: readonly T[],
  connect: (report: (a: number, b: number) => void) => void,
): T[][] {
  const parent = items.map((_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (parent[root] !== root) root = parent[root] as number
    for (let at = i; parent[at] !== root; ) {
      const next = parent[at] as number
      parent[at] = root
      at = next
    }
    return root
  }
  connect((a, b) => {
    parent[rootOf(b)] = rootOf(a)
  })
  const byRoot = Map.groupBy(items.keys(), rootOf)
  return [...byRoot.values()].map((own) => own.map((i) => items[i] as T))
}
