import type { Font } from './read/page.ts'

/** Memoizes a property per font: it is needed for every word or letter, and names are matched against long lists. */
export function perFont<T>(of: (font: Font) => T): (font: Font) => T {
  const known = new WeakMap<Font, T>()
  return (font) => {
    if (known.has(font)) return known.get(font) as T
    const answer = of(font)
    known.set(font, answer)
    return answer
  }
}
