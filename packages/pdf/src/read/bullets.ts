import { type Box, firstFrom, height, width } from '../geometry.ts'
import type { Art, Drawings } from './drawings.ts'
import type { Glyph } from './page.ts'

// Browsers draw the bullets of lists as small discs. One that stands alone before the first letter of a line is a
// bullet of the text.

/** In parts of the letter's size. */
const smallest = 0.15
const largest = 0.6
const furthest = 2.5
/** How far its middle lies above the baseline. */
const lowest = 0.08
const highest = 0.6
/** Charts have dots beside words too, but not without other strokes near them; in points. */
const lonely = 24
/** A disc: as wide as high within a quarter, which rounding makes of small ones; larger are ornaments, in points. */
const roundness = 0.25
const widestDisc = 12
/** Letters of the same line before it, not further than this, in ems; and the rounding of their boxes, in points. */
const before = 4
const rounding = 0.5

export function takeBullets(
  drawings: Drawings,
  glyphs: readonly Glyph[],
): { drawings: Drawings; glyphs: Glyph[] } {
  const discs = drawings.art.filter(
    ({ box }) => width(box) < widestDisc && Math.abs(width(box) - height(box)) < roundness * width(box),
  )
  if (discs.length === 0) return { drawings, glyphs: [...glyphs] }
  const round = new Set(discs)
  const others = drawings.art.filter((a) => !round.has(a))
  const inked = glyphs.filter((g) => g.turn === 0 && !g.slanted && g.text.trim() !== '')
  const lines = inked.toSorted((a, b) => a.y - b.y)
  const heights = lines.map((g) => g.y)
  const reach = highest * lines.reduce((most, g) => Math.max(most, g.size), 0)
  const bullets = new Map<Art, Glyph>()
  for (const disc of discs) {
    const middle = (disc.box.y0 + disc.box.y1) / 2
    const near = lines.slice(firstFrom(heights, middle), firstFrom(heights, middle + reach))
    const first = firstLetter(disc.box, near)
    if (first && !others.some((o) => isClose(o.box, disc.box)))
      bullets.set(disc, {
        ...first,
        text: '•',
        x: disc.box.x0,
        box: { ...first.box, x0: disc.box.x0, x1: disc.box.x1 },
      })
  }
  return {
    drawings: { ...drawings, art: drawings.art.filter((a) => !bullets.has(a)) },
    glyphs: [...bullets.values(), ...glyphs],
  }
}

const isClose = (a: Box, b: Box): boolean =>
  Math.max(a.x0 - b.x1, b.x0 - a.x1) < lonely && Math.max(a.y0 - b.y1, b.y0 - a.y1) < lonely

/** The letter that begins a line behind the disc, with nothing before it. */
function firstLetter(disc: Box, inked: readonly Glyph[]): Glyph | undefined {
  const middle = (disc.y0 + disc.y1) / 2
  const onLine = inked.filter((g) => g.y - middle > lowest * g.size && g.y - middle < highest * g.size)
  const behind = onLine.filter((g) => g.box.x0 >= disc.x1 && g.box.x0 - disc.x1 < furthest * g.size)
  const first = behind.sort((a, b) => a.box.x0 - b.box.x0)[0]
  if (!first) return undefined
  const size = width(disc) / first.size
  const hasBefore = onLine.some((g) => g.box.x1 <= disc.x0 + rounding && disc.x0 - g.box.x1 < before * g.size)
  return size >= smallest && size <= largest && !hasBefore ? first : undefined
}
