import { centreX, centreY } from '../geometry.ts'
import { clearMajority } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import type { Glyph } from './page.ts'

// Vertical Chinese and Japanese: glyphs stand upright below each other, lines from right to left. On the page rotated by
// a quarter, lines are horizontal, and only the glyphs have to be turned back.

/** Chinese and Japanese punctuation; characters before it are not written vertically. */
const firstIdeographic = '\u3000'
/** Minimum number of glyphs: fewer are the label of a chart. */
const fewest = 20
/** Tolerance across the line, and the distance of two glyphs along it, in ems. */
const besideLine = 0.2
const nearest = 0.4
const farthest = 2

export function isVertical(glyphs: readonly Glyph[]): boolean {
  let [down, across] = [0, 0]
  let last: Glyph | undefined
  for (const g of glyphs) {
    if (g.text < firstIdeographic || g.turn !== 0) continue
    const dy = last ? (g.y - last.y) / g.size : 0
    const isBelow = last && Math.abs(g.x - last.x) < besideLine * g.size
    if (isBelow && dy > nearest && dy < farthest) down++
    else if (Math.abs(dy) < besideLine) across++
    last = g
  }
  return down > fewest && down > clearMajority * (down + across)
}

/** The glyphs of the rotated page; its first turn was that of the page. */
export function turnedBack(glyphs: readonly Glyph[]): Glyph[] {
  let line = -Infinity
  return glyphs.map((g) => {
    if (g.turn !== 3) return g
    const middle = centreY(g.box) + middleOfLetters * g.size
    // Full stops and commas are beside the middle of their line.
    if (Math.abs(middle - line) > g.size / 2) line = middle
    const x = centreX(g.box) - g.size / 2
    const box = {
      x0: x,
      x1: x + g.size,
      y0: line - g.font.ascent * g.size,
      y1: line + g.font.descent * g.size,
    }
    return { ...g, turn: 0, x, y: line, box }
  })
}
