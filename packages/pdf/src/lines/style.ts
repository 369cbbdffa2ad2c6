import { contains } from '../geometry.ts'
import type { PlacedGlyph } from '../math/tree.ts'
import type { Page } from '../read/page.ts'
import { rounding, sizeTolerance } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import type { Style } from './line.ts'

// The look of a glyph, and the link, form field or highlight that it belongs to.

export function sameLook(a: PlacedGlyph, b: PlacedGlyph): boolean {
  return (
    a.font === b.font &&
    a.color === b.color &&
    a.script === b.script &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.math === b.math &&
    Math.abs(a.size - b.size) < sizeTolerance * a.size
  )
}

export function sameOwner(style: Style, g: PlacedGlyph, page: Page): boolean {
  return (
    linkAt(g, page) === style.link &&
    fieldAt(g, page) === style.field &&
    highlightAt(g, page) === style.highlight
  )
}

export function styleOf(g: PlacedGlyph, page: Page): Style {
  return {
    font: g.font,
    size: g.size,
    bold: g.font.bold,
    italic: g.font.italic,
    color: g.color,
    underline: g.underline ?? false,
    strike: g.strike ?? false,
    script: g.script,
    link: linkAt(g, page),
    field: fieldAt(g, page),
    highlight: highlightAt(g, page),
    ...(g.math && { math: g.math }),
  }
}

const middleX = (g: PlacedGlyph): number => (g.box.x0 + g.box.x1) / 2
const middleY = (g: PlacedGlyph): number => g.y - middleOfLetters * g.size

function linkAt(g: PlacedGlyph, page: Page): Style['link'] {
  if (page.links.length === 0) return undefined
  return page.links.find((l) => contains(l.box, middleX(g), middleY(g), rounding))
}

function fieldAt(g: PlacedGlyph, page: Page): Style['field'] {
  if (page.fields.length === 0) return undefined
  return page.fields.find((f) => contains(f.box, middleX(g), middleY(g), rounding))
}

/** The highlighter colours of Word and PDF viewers. */
const markers = new Set(['ffff00', '00ff00', '00ffff', 'ff00ff'])
/** A taller area is the background of a box, not a highlight of one line; in ems. */
const tallestStroke = 2
const markersOf = new WeakMap<Page['fills'], Page['fills']>()

function highlightAt(g: PlacedGlyph, page: Page): string | undefined {
  if (page.fills.length === 0) return undefined
  let strokes = markersOf.get(page.fills)
  if (!strokes) {
    strokes = page.fills.filter((f) => markers.has(f.color))
    markersOf.set(page.fills, strokes)
  }
  if (strokes.length === 0) return undefined
  return strokes.find(
    (f) => contains(f.box, middleX(g), middleY(g)) && f.box.y1 - f.box.y0 < tallestStroke * g.size,
  )?.color
}
