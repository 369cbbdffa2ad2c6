import { median } from '../geometry.ts'
import type { Glyph } from './page.ts'

// Recognised text has the height of its ink for a size: a line without tall letters comes out smaller than the next.
// What differs no more than that is set in one size.

/** Lines of one size differ by this much: ink from the height of an x to that of capitals with descenders. */
const smallest = 0.72
const largest = 1.3

export function settleSizes(glyphs: readonly Glyph[]): Glyph[] {
  const usual = median(glyphs.filter((g) => g.text.trim()).map((g) => g.size))
  return glyphs.map((g) =>
    g.size > smallest * usual && g.size < largest * usual ? { ...g, size: usual } : g,
  )
}
