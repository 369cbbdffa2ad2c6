import { findMath } from '../math/find.ts'
import type { PlacedGlyph } from '../math/tree.ts'
import { cellAround, type Page, type Rule, type Tag } from '../read/page.ts'
import { decorate } from './decorate.ts'
import { splitAtEdges } from './gutter-split.ts'
import type { TextRun } from './line.ts'
import { attachScripts, findRows, splitRow, visitsIn } from './rows.ts'
import { buildTextRun, paintedOrder } from './text-run.ts'
import { slantedTextRuns, turnedTextRuns } from './turned.ts'

// Converts the glyphs of a page to text runs.

export interface PageLines {
  textRuns: TextRun[]
  /** Text that does not run from left to right along the page: side notes, stamps, rotated headings. */
  turned: TextRun[]
  /** Rules that are not underlines. */
  rules: Rule[]
}

export function findLines(page: Page): PageLines {
  const placed: readonly PlacedGlyph[] = page.glyphs
  const straight = placed.filter((g) => g.turn === 0 && !g.slanted)
  const found = findMath(page, straight)
  const { glyphs: upright, rules } = decorate(found.glyphs, found.rules)
  const textRuns = textRunsOf(upright, page)
  if (straight.length === placed.length) return { textRuns, turned: [], rules }
  const turned: TextRun[] = []
  for (const turn of [1, 2, 3] as const) {
    const group = placed.filter((g) => g.turn === turn && !g.slanted)
    if (group.length > 0) turned.push(...turnedTextRuns(group, turn, page))
  }
  const slanted = placed.filter((g) => g.slanted)
  if (slanted.length > 0) turned.push(...slantedTextRuns(slanted, page))
  return { textRuns, turned, rules }
}

/** The table cell of a glyph by its tag. */
function cellsIn({ tags }: Page): (g: PlacedGlyph) => Tag | undefined {
  const cells = new Map<number, Tag>()
  for (const [content, tag] of tags) {
    const cell = cellAround(tag)
    if (cell) cells.set(content, cell)
  }
  return (g) => cells.get(g.tag)
}

function textRunsOf(glyphs: readonly PlacedGlyph[], page: Page): TextRun[] {
  const order = paintedOrder(glyphs)
  const belonging = { cellOf: cellsIn(page), visitOf: visitsIn(glyphs) }
  const raw = attachScripts(findRows(glyphs).flatMap((row) => splitRow(row, belonging)))
  return splitAtEdges(raw.map((r) => buildTextRun(r, page, order)))
}
