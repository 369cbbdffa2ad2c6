import { type Box, contains } from '../geometry.ts'
import { emptyFieldMark } from '../marks.ts'
import { middleOfLetters } from '../typography.ts'
import type { Field, Glyph } from './page.ts'
import { plainFont } from './plain-font.ts'

// Form fields as text on the page. Painted values stay; a value that the PDF stores but does not paint is set at the
// position of its field; an empty field or a check box gets a placeholder character.

const font = plainFont('Helvetica')
/** In characters: a page of text. */
const longestValue = 4000
/** Width of a letter in ems if its font is not known. */
const narrow = 0.5
/** Height of the rows of the index, in points; limits for positions off the page and for the rows of one field. */
const rowHeight = 8
const farthest = 1e6
const maxRows = 1000
/** A smaller field is invisible, in points. */
const minSide = 3
/** Font sizes that viewers use for values, in points, and their share of the field's height. */
const smallestSize = 5
const largestSize = 11
const shareOfHeight = 0.75
/** Margins of a field with several lines, in points; the lines share the remaining height. */
const margins = 2
/** A letter may be a little taller than its field. */
const maxHeight = 1.2
/** The first line is about an em below the top, and lines are single-spaced; in ems. */
const firstLine = 1.1
const pitch = 1.15

const rowOf = (y: number): number => Math.floor(Math.min(farthest, Math.max(-farthest, y)) / rowHeight)
const middle = (g: Glyph): number => g.y - middleOfLetters * g.size

/** Indexes glyphs by their height on the page. */
function byRow(glyphs: readonly Glyph[]): (from: number, to: number) => Glyph[] {
  const rows = new Map<number, Glyph[]>()
  for (const g of glyphs) {
    if (!g.text.trim()) continue
    const row = rows.get(rowOf(middle(g)))
    if (row) row.push(g)
    else rows.set(rowOf(middle(g)), [g])
  }
  return (from, to) => {
    const out: Glyph[] = []
    const last = Math.min(rowOf(to), rowOf(from) + maxRows)
    for (let key = rowOf(from); key <= last; key++) for (const g of rows.get(key) ?? []) out.push(g)
    return out
  }
}

export function withFields(glyphs: readonly Glyph[], fields: readonly Field[]): Glyph[] {
  if (fields.length === 0) return [...glyphs]
  const near = byRow(glyphs)
  const gone = new Set<Glyph>()
  const added: Glyph[] = []
  for (const field of fields) {
    const { box, kind } = field
    if (kind === 'button' || kind === 'signature') continue
    if (!(box.y1 - box.y0 > minSide && box.x1 - box.x0 > minSide)) continue
    const row = near(box.y0, box.y1)
    const inside = row.filter((g) => contains(box, (g.box.x0 + g.box.x1) / 2, middle(g)))
    const isBox = kind === 'check' || kind === 'radio'
    if (inside.length > 0 && !isBox) continue
    for (const g of inside) gone.add(g)
    const beside = row.filter((g) => !gone.has(g) && middle(g) > box.y0 && middle(g) < box.y1)
    const text = isBox ? '' : field.value.slice(0, longestValue)
    added.push(...setInto(box, text.trim() === '' ? emptyFieldMark : text, beside))
  }
  return [...glyphs.filter((g) => !gone.has(g)), ...added]
}

/** Sets the text on the baseline of adjacent text, if any: a label and its field are read together. */
function setInto(box: Box, text: string, beside: readonly Glyph[]): Glyph[] {
  const tall = box.y1 - box.y0
  const distance = (g: Glyph): number => Math.max(g.box.x0 - box.x1, box.x0 - g.box.x1)
  const closest = beside.reduce<Glyph | undefined>(
    (best, g) => (best && distance(best) <= distance(g) ? best : g),
    undefined,
  )
  const lines = text.split(/\r\n?|\n/)
  const fitting = Math.min(
    largestSize,
    Math.max(smallestSize, shareOfHeight * Math.min(tall, tall / lines.length + margins)),
  )
  const size = closest && lines.length === 1 ? Math.min(closest.size, maxHeight * tall) : fitting
  const own = Math.min(box.y1 - font.descent * size, box.y0 + firstLine * size)
  // Its middle must stay within the field: later stages match text and field by it.
  const inField =
    closest && closest.y - middleOfLetters * size > box.y0 && closest.y - middleOfLetters * size < box.y1
  const first = inField ? closest.y : own
  return lines.flatMap((line, i) => {
    const y = first + i * pitch * size
    const characters = [...line]
    const step =
      line === emptyFieldMark
        ? box.x1 - box.x0
        : Math.min(narrow * size, (box.x1 - box.x0) / Math.max(1, characters.length))
    return characters.map((character, n): Glyph => {
      const x0 = box.x0 + n * step
      return {
        text: character,
        x: x0,
        y,
        box: { x0, x1: x0 + step, y0: y - font.ascent * size, y1: y + font.descent * size },
        size,
        font,
        color: '000000',
        turn: 0,
        slanted: false,
        order: -1,
        tag: -1,
        invisible: false,
      }
    })
  })
}
