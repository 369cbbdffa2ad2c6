/** The element at this index; throws if there is none. A negative index counts from the end. */
export function elementAt<T>(list: readonly T[], index: number): T {
  const element = list.at(index)
  if (element === undefined) throw new RangeError(`There is no element ${index} in a list of ${list.length}.`)
  return element
}
