/** Size of the intersection of two multisets. */
export function countCommon(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const each of a) left.set(each, (left.get(each) ?? 0) + 1)
  let common = 0
  for (const each of b) {
    const count = left.get(each) ?? 0
    if (count > 0) common++
    left.set(each, count - 1)
  }
  return common
}
