import { findMath } from '../math/find.ts'
import { cellAround, type Page, type Rule, type Tag } from '../read/page.ts'
import { bridgePictures } from './bridge.ts'
import { decorate } from './decorate.ts'
import { splitAtEdges } from './gutter-split.ts'
import type { Piece, PlacedGlyph } from './line.ts'
import { buildPiece, paintedOrder } from './piece.ts'
import { attachScripts, findRows, splitRow } from './rows.ts'
import { slantedPieces, turnedPieces } from './turned.ts'

// Glyphs of a page to pieces of lines.

export interface PageLines {
  pieces: Piece[]
  /** Text that does not run from left to right along the page: side notes, stamps, turned headings. */
  turned: Piece[]
  /** What was not an underline. */
  rules: Rule[]
}

export function findLines(page: Page): PageLines {
  const placed: readonly PlacedGlyph[] = page.glyphs
  const straight = placed.filter((g) => g.turn === 0 && !g.slanted)
  const found = findMath(page, straight)
  const { glyphs: upright, rules } = decorate(found.glyphs, found.rules)
  const pieces = bridgePictures(piecesOf(upright, page), page.pictures)
  if (straight.length === placed.length) return { pieces, turned: [], rules }
  const turned: Piece[] = []
  for (const turn of [1, 2, 3] as const) {
    const group = placed.filter((g) => g.turn === turn && !g.slanted)
    if (group.length > 0) turned.push(...turnedPieces(group, turn, page))
  }
  const slanted = placed.filter((g) => g.slanted)
  if (slanted.length > 0) turned.push(...slantedPieces(slanted, page))
  return { pieces, turned, rules }
}

/** Which cell of a table a glyph belongs to by its tag. */
function cellsIn({ tags }: Page): (g: PlacedGlyph) => Tag | undefined {
  const cells = new Map<number, Tag>()
  for (const [content, tag] of tags) {
    const cell = cellAround(tag)
    if (cell) cells.set(content, cell)
  }
  return (g) => cells.get(g.tag)
}

function piecesOf(glyphs: readonly PlacedGlyph[], page: Page): Piece[] {
  const order = paintedOrder(glyphs)
  const cellOf = cellsIn(page)
  const raw = attachScripts(findRows(glyphs).flatMap((row) => splitRow(row, cellOf)))
  return splitAtEdges(raw.map((r) => buildPiece(r, page, order)))
}
