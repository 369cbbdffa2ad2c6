import { elementAt } from '../element-at.ts'
import { type Box, firstFrom, height, width } from '../geometry.ts'
import type { Drawings } from './drawings.ts'
import type { Glyph } from './page.ts'

// Browsers draw list bullets as small discs, circles and squares. A single one before the first letter of a line is a
// bullet character. Squares must have the colour of the text: legends of charts have other colours.

/** Size limits relative to the font size. */
const smallest = 0.15
const largest = 0.6
const furthest = 2.5
/** Limits for the height of its middle above the baseline. */
const lowest = 0.08
const highest = 0.6
/** Dots beside words in charts have other strokes, not backgrounds of text, within this distance, in points. */
const lonely = 24
/** Width and height are equal within a quarter, because of rounding; larger shapes are ornaments, in points. */
const roundness = 0.25
const widest = 12
/** Maximum distance to letters before it on the same line, in ems; and the rounding of their boxes, in points. */
const before = 4
const rounding = 0.5
const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export function takeBullets(
  drawings: Drawings,
  glyphs: readonly Glyph[],
): { drawings: Drawings; glyphs: Glyph[] } {
  const discs = drawings.art.filter(isSmall)
  const colors = new Set(glyphs.map((g) => g.color))
  const squares = drawings.fills.filter((f) => isSmall(f) && colors.has(f.color))
  if (discs.length + squares.length === 0) return { drawings, glyphs: [...glyphs] }
  const round = new Set(discs)
  const others = drawings.art.filter((a) => !round.has(a))
  const inked = glyphs.filter((g) => g.turn === 0 && !g.slanted && g.text.trim() !== '')
  const lines = inked.toSorted((a, b) => a.y - b.y)
  const heights = lines.map((g) => g.y)
  const reach = highest * lines.reduce((max, g) => Math.max(max, g.size), 0)
  const known = new Map<Box, boolean>()
  // Once for each drawing, however many marks are near it.
  const holdsText = (box: Box): boolean => {
    const is = known.get(box) ?? hasLetter(box, lines, heights)
    known.set(box, is)
    return is
  }
  const bullets = new Map<{ box: Box }, Glyph>()
  const take = (mark: { box: Box }): void => {
    const { box } = mark
    const middle = (box.y0 + box.y1) / 2
    const near = lines.slice(firstFrom(heights, middle), firstFrom(heights, middle + reach))
    const first = firstLetter(box, near)
    if (!first || others.some((o) => isClose(o.box, box) && !holdsText(o.box))) return
    bullets.set(mark, { ...first, text: '•', x: box.x0, box: { ...first.box, x0: box.x0, x1: box.x1 } })
  }
  for (const mark of [...discs, ...squares]) take(mark)
  const taken = new Set(squares.filter((f) => bullets.has(f)).flatMap((f) => edgesOf(f.box)))
  return {
    drawings: {
      ...drawings,
      art: drawings.art.filter((a) => !bullets.has(a)),
      fills: drawings.fills.filter((f) => !bullets.has(f)),
      rules: drawings.rules.filter((r) => !r.weak || !taken.has(`${r.at} ${r.from} ${r.to}`)),
    },
    glyphs: [...bullets.values(), ...glyphs],
  }
}

function hasLetter(box: Box, lines: readonly Glyph[], heights: readonly number[]): boolean {
  const end = firstFrom(heights, box.y1)
  for (let i = firstFrom(heights, box.y0); i < end; i++) {
    const { x0 } = elementAt(lines, i).box
    if (x0 >= box.x0 && x0 <= box.x1) return true
  }
  return false
}

const isSmall = ({ box }: { box: Box }): boolean =>
  width(box) < widest && Math.abs(width(box) - height(box)) < roundness * width(box)

/** The edges of a filled area are among the rules. */
const edgesOf = ({ x0, y0, x1, y1 }: Box): string[] => [
  `${y0} ${x0} ${x1}`,
  `${y1} ${x0} ${x1}`,
  `${x0} ${y0} ${y1}`,
  `${x1} ${y0} ${y1}`,
]

const isClose = (a: Box, b: Box): boolean =>
  Math.max(a.x0 - b.x1, b.x0 - a.x1) < lonely && Math.max(a.y0 - b.y1, b.y0 - a.y1) < lonely

/** The first letter of a line after the disc, with no other before it; right-to-left text is on its left. */
function firstLetter(disc: Box, inked: readonly Glyph[]): Glyph | undefined {
  const middle = (disc.y0 + disc.y1) / 2
  const onLine = inked.filter((g) => g.y - middle > lowest * g.size && g.y - middle < highest * g.size)
  const sides = [
    onLine.map((g) => ({ g, away: g.box.x0 - disc.x1 })),
    onLine.map((g) => ({ g, away: disc.x0 - g.box.x1 })),
  ].map((side) => side.filter(({ away }) => away >= -rounding).sort((a, b) => a.away - b.away)[0])
  const isNear = (letter: (typeof sides)[number], reach: number): boolean =>
    letter !== undefined && letter.away < reach * letter.g.size
  const [right, left] = sides
  const [first, previous] = right && isNear(right, furthest) ? [right.g, left] : [left?.g, right]
  if (!first || (first === left?.g && !(isNear(left, furthest) && fromRight.test(first.text))))
    return undefined
  const size = width(disc) / first.size
  return size >= smallest && size <= largest && !isNear(previous, before) ? first : undefined
}
