import { type Box, union } from '../geometry.ts'
import type { PlacedGlyph } from '../math/tree.ts'
import type { Page } from '../read/page.ts'
import type { TextRun } from './line.ts'
import { attachScripts, findRows, isSpace, splitRow } from './rows.ts'
import { styleOf } from './style.ts'
import { buildTextRun, paintedOrder } from './text-run.ts'

// Rotated text.

/** Processes the glyphs as upright text in a rotated coordinate system and rotates the boxes back. */
export function turnedTextRuns(glyphs: readonly PlacedGlyph[], turn: 1 | 2 | 3, page: Page): TextRun[] {
  const flat = glyphs.map((g): PlacedGlyph => {
    const [x, y] = straighten(g.x, g.y, turn)
    return { ...g, x, y, box: straightenBox(g.box, turn), turn: 0 }
  })
  const order = paintedOrder(flat)
  const bare = { ...page, links: [], fields: [], fills: [] }
  return attachScripts(findRows(flat).flatMap((row) => splitRow(row))).map((r) => {
    const box = union(r.glyphs.map((g) => g.box))
    return { ...buildTextRun(r, bare, order), box: straightenBox(box, opposite[turn]), turn }
  })
}

/** The inverse of a rotation. */
const opposite = { 1: 3, 2: 2, 3: 1 } as const

function straighten(x: number, y: number, turn: 1 | 2 | 3): [number, number] {
  if (turn === 1) return [y, -x]
  if (turn === 2) return [-x, -y]
  return [-y, x]
}

function straightenBox(b: Box, turn: 1 | 2 | 3): Box {
  const [ax, ay] = straighten(b.x0, b.y0, turn)
  const [bx, by] = straighten(b.x1, b.y1, turn)
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) }
}

/** Watermarks and the like: one text run per drawing operation, in paint order. */
export function slantedTextRuns(glyphs: readonly PlacedGlyph[], page: Page): TextRun[] {
  const out: TextRun[] = []
  for (const group of Map.groupBy(glyphs, (g) => g.order).values()) {
    const inked = group.filter((g) => !isSpace(g))
    const first = inked[0]
    if (!first) continue
    const text = group
      .map((g) => g.text)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    const box = union(inked.map((g) => g.box))
    out.push({
      box,
      baseline: first.y,
      size: first.size,
      font: first.font,
      spans: [{ text, style: styleOf(first, page) }],
      text,
      words: [{ text, box }],
      rtl: false,
      tag: page.tags.get(first.tag),
      order: first.order,
      turn: 3,
    })
  }
  return out
}
