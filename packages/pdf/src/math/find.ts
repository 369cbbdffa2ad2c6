import { union } from '../geometry.ts'
import { isMathFont } from '../read/math-fonts/names.ts'
import type { Page, Rule } from '../read/page.ts'
import { joinAligned } from './aligned.ts'
import { findGrids } from './grids.ts'
import { axis, bearing, type Item, isOperatorItem, itemOf, lookOf } from './item.ts'
import { mainLine, parseItems } from './parse.ts'
import { findMathRows } from './rows.ts'
import { findStretches, type Usage } from './stretches.ts'
import { findStructures } from './structures.ts'
import { isAligned, type PlacedGlyph, plainText } from './tree.ts'

// Finds the formulas of a page. Each becomes one glyph on the baseline of its line, so that later stages see a word
// instead of scattered symbols, and its rules are not mistaken for table rules.

/** Extent of a formula above and below its baseline, in ems: that of text, so that lines do not merge. */
const above = 0.75
const below = 0.25

export interface FoundMath {
  glyphs: PlacedGlyph[]
  rules: Rule[]
}

/** Twice as many as on a page full of formulas: each is compared with its neighbours, which would take minutes. */
const maxSigns = 10_000

export function findMath(page: Page, glyphs: readonly PlacedGlyph[]): FoundMath {
  const unchanged = { glyphs: [...glyphs], rules: page.rules }
  if (page.scan || !glyphs.some(isSignOfMath)) return unchanged
  const items = sameSizes(glyphs.filter((g) => g.text.trim() !== '').map(itemOf))
  const signs = items.filter((i) => i.isMath).length
  // Math fonts are also used for bullets and markers.
  if (signs === 0 || signs > maxSigns) return unchanged
  const rows = findMathRows(findGrids(findStructures(items, page.rules)))
  const usage: Usage = { textItalics: !glyphs.some(isMathLetter) }
  const gone = new Set<PlacedGlyph>()
  const usedRules = new Set<Rule>()
  const made: PlacedGlyph[] = []
  for (const stretch of joinAligned(rows.map((row) => ({ row, stretches: findStretches(row, usage) })))) {
    made.push(asGlyph(stretch))
    for (const item of stretch) {
      for (const g of item.glyphs) gone.add(g)
      for (const r of item.rules) usedRules.add(r)
    }
  }
  if (made.length === 0) return unchanged
  const covered = made.map((g) => g.box)
  const isSpaceInside = (g: PlacedGlyph): boolean =>
    g.text.trim() === '' &&
    covered.some((b) => g.x > b.x0 + bearing && g.x < b.x1 - bearing && g.y > b.y0 && g.y < b.y1)
  return {
    glyphs: [...glyphs.filter((g) => !gone.has(g) && !isSpaceInside(g)), ...made],
    rules: page.rules.filter((r) => !usedRules.has(r)),
  }
}

/** Symbols larger than the text by more than this factor are sums that a font enlarges by its size. */
const enlarged = 1.2
/** A size of a smaller share of the page's symbols is not that of its text: headings, scripts. */
const rare = 0.1

/** Sets sums and integrals to the size of their text, regardless of how a font enlarges them. */
function sameSizes(items: readonly Item[]): Item[] {
  const counts = new Map<number, number>()
  const firm = items.filter((i) => !i.isLoose)
  if (firm.length === 0) return [...items]
  for (const i of firm) counts.set(i.size, (counts.get(i.size) ?? 0) + 1)
  const usual = Math.max(
    ...[...counts].filter(([, count]) => count > rare * firm.length).map(([size]) => size),
  )
  return items.map((i) =>
    isOperatorItem(i) && i.isLoose && i.size > enlarged * usual
      ? { ...i, size: usual, y: i.middle + axis * usual }
      : i,
  )
}

const isSignOfMath = (g: PlacedGlyph): boolean => isMathFont(g.font) || /[\u{1d400}-\u{1d7ff}]/u.test(g.text)

/** A letter in math italics, not one for sets or operators. */
const isMathLetter = (g: PlacedGlyph): boolean =>
  /^[a-z]$/i.test(g.text) && isMathFont(g.font) && g.large !== true && lookOf(g.font, g.text) === 'italic'

function asGlyph(items: readonly Item[]): PlacedGlyph {
  const line = mainLine(items)
  const tree = parseItems(items, line)
  const first = items[0]?.glyphs[0] as PlacedGlyph
  const text = plainText(tree)
  const { x0, x1, y0, y1 } = union(items.map((i) => i.box))
  const inks = items.flatMap((i) => i.glyphs)
  return {
    ...first,
    text,
    x: x0,
    y: line.y,
    size: line.size,
    box: isAligned(tree)
      ? { x0, x1, y0, y1 }
      : { x0, x1, y0: line.y - above * line.size, y1: line.y + below * line.size },
    order: Math.min(...inks.map((g) => g.order)),
    math: { tree, text },
  }
}
