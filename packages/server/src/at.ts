/** The element at this index, which has to be there. */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index]
  if (element === undefined) throw new Error(`There is no element ${index} in a list of ${list.length}.`)
  return element
}
