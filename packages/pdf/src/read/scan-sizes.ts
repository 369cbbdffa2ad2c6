import { area, type Box, median } from '../geometry.ts'
import { pointsPerInch } from '../typography.ts'
import type { Glyph } from './page.ts'

/** Dots per point; finer than this recognition gains nothing. */
const finest = 200 / pointsPerInch
/** An A4 sheet at that, and an A2 sheet. */
const usualDots = 4_000_000
const mostDots = 16_000_000

/**
 * How fine a page is painted for recognition. Some scans count a point for every dot: their pages are many times as
 * large as paper, and letters larger than their scan has them are read worse. `own` is how many dots per point it has.
 */
export function dotsFor(box: Box, own = finest): number {
  const dotsOf = (whole: number): number => Math.sqrt(whole / Math.max(1, area(box)))
  return Math.min(finest, Math.max(own, dotsOf(usualDots)), dotsOf(mostDots))
}

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
