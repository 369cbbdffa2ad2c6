/** The element at this index; throws when there is none. */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index]
  if (element === undefined) throw new Error(`There is no element ${index} in a list of ${list.length}.`)
  return element
}
