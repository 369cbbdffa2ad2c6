import { type Box, contains, median } from '../geometry.ts'
import type { Glyph, Page, Rule } from '../read/page.ts'
import { bridgePictures } from './bridge.ts'
import { decorate } from './decorate.ts'
import { splitAtEdges } from './gutter-split.ts'
import type { Piece, PlacedGlyph, Span, Style, Word } from './line.ts'
import { attachScripts, findRows, type RawPiece, spaceBetween, splitRow } from './rows.ts'
import { readingOrder } from './scripts.ts'

export interface PageLines {
  pieces: Piece[]
  /** Text that does not run from left to right along the page: side notes, stamps, turned headings. */
  turned: Piece[]
  /** What was not an underline. */
  rules: Rule[]
}

const isSpace = (g: Glyph): boolean => g.text.trim() === '' && g.text !== '\u3000'

export function findLines(page: Page): PageLines {
  const placed = page.glyphs as PlacedGlyph[]
  for (const g of placed) {
    g.script = undefined
    g.underline = false
    g.strike = false
  }
  const upright = placed.filter((g) => g.turn === 0 && !g.slanted)
  const rules = decorate(upright, page.rules)
  const pieces = bridgePictures(piecesOf(upright, page), page.pictures)
  const turned: Piece[] = []
  for (const turn of [1, 2, 3] as const) {
    const group = placed.filter((g) => g.turn === turn && !g.slanted)
    if (group.length > 0) turned.push(...turnedPieces(group, turn, page))
  }
  const slanted = placed.filter((g) => g.slanted)
  if (slanted.length > 0) turned.push(...slantedPieces(slanted, page))
  return { pieces, turned, rules }
}

function piecesOf(glyphs: readonly PlacedGlyph[], page: Page): Piece[] {
  const index = new Map(glyphs.map((g, i) => [g, i]))
  const raw = attachScripts(findRows(glyphs).flatMap(splitRow))
  return splitAtEdges(raw.map((r) => finish(r, page, index)))
}

/** The same in a turned coordinate system, with the boxes turned back. */
function turnedPieces(glyphs: readonly PlacedGlyph[], turn: 1 | 2 | 3, page: Page): Piece[] {
  const originals = new Map<PlacedGlyph, PlacedGlyph>()
  const flat = glyphs.map((g) => {
    const [x, y] = straighten(g.x, g.y, turn)
    const copy: PlacedGlyph = { ...g, x, y, box: straightenBox(g.box, turn), turn: 0 }
    originals.set(copy, g)
    return copy
  })
  const index = new Map(flat.map((g, i) => [g, i]))
  const bare = { ...page, links: [], fields: [], fills: [] }
  return attachScripts(findRows(flat).flatMap(splitRow)).map((r) => {
    const piece = finish(r, bare, index)
    const boxes = r.glyphs.map((g) => (originals.get(g) as PlacedGlyph).box)
    piece.box = {
      x0: Math.min(...boxes.map((b) => b.x0)),
      y0: Math.min(...boxes.map((b) => b.y0)),
      x1: Math.max(...boxes.map((b) => b.x1)),
      y1: Math.max(...boxes.map((b) => b.y1)),
    }
    piece.turn = turn
    return piece
  })
}

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

/** Watermarks and the like: one piece per drawing operation, in the order painted. */
function slantedPieces(glyphs: readonly PlacedGlyph[], page: Page): Piece[] {
  const groups = new Map<number, PlacedGlyph[]>()
  for (const g of glyphs) {
    const group = groups.get(g.order)
    if (group) group.push(g)
    else groups.set(g.order, [g])
  }
  const out: Piece[] = []
  for (const group of groups.values()) {
    const inked = group.filter((g) => !isSpace(g))
    if (inked.length === 0) continue
    const first = inked[0] as PlacedGlyph
    const style = styleOf(first, page)
    const text = group
      .map((g) => g.text)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    const box = {
      x0: Math.min(...inked.map((g) => g.box.x0)),
      y0: Math.min(...inked.map((g) => g.box.y0)),
      x1: Math.max(...inked.map((g) => g.box.x1)),
      y1: Math.max(...inked.map((g) => g.box.y1)),
    }
    out.push({
      box,
      baseline: first.y,
      size: first.size,
      font: first.font,
      spans: [{ text, style }],
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

function finish(raw: RawPiece, page: Page, index: ReadonlyMap<PlacedGlyph, number>): Piece {
  const inkedPainted = raw.glyphs.filter((g) => !isSpace(g))
  // Letter-spaced text has the same gap everywhere; only a wider one parts words.
  const gaps: number[] = []
  for (let i = 1; i < inkedPainted.length; i++)
    gaps.push((inkedPainted[i] as PlacedGlyph).box.x0 - (inkedPainted[i - 1] as PlacedGlyph).box.x1)
  const usual = gaps.length >= 6 ? Math.max(0, Math.min(median(gaps), 0.4 * raw.size)) : 0

  // A painted space belongs to the glyph after it.
  const spaced = new Set<PlacedGlyph>()
  let pending: PlacedGlyph | undefined
  let previous: PlacedGlyph | undefined
  for (const g of raw.glyphs) {
    if (isSpace(g)) {
      pending ??= g
      continue
    }
    if (
      previous &&
      spaceBetween(previous, g, pending !== undefined && !isStray(pending, previous, g, index), usual)
    )
      spaced.add(g)
    previous = g
    pending = undefined
  }
  // Words first, then their order: direction is a matter of words and their stretches.
  type Token = { text: string; glyphs: PlacedGlyph[]; space: boolean }
  const tokens: Token[] = inkedPainted.map((g) => ({ text: g.text, glyphs: [g], space: false }))
  const withSpaces: Token[] = []
  for (const token of tokens) {
    if (spaced.has(token.glyphs[0] as PlacedGlyph)) withSpaces.push({ text: ' ', glyphs: [], space: true })
    withSpaces.push(token)
  }
  const at = (t: Token): number => (t.glyphs[0] ? (index.get(t.glyphs[0]) ?? 0) : 0)
  const { items, rtl } = readingOrder(withSpaces, (stretch) => logicalOrder(stretch, at))

  const spans: Span[] = []
  const words: Word[] = []
  let word: { text: string; boxes: Box[] } | undefined
  const endWord = (): void => {
    if (!word) return
    words.push({
      text: word.text,
      box: {
        x0: Math.min(...word.boxes.map((b) => b.x0)),
        y0: Math.min(...word.boxes.map((b) => b.y0)),
        x1: Math.max(...word.boxes.map((b) => b.x1)),
        y1: Math.max(...word.boxes.map((b) => b.y1)),
      },
    })
    word = undefined
  }
  let text = ''
  let lastStyle: Style | undefined
  let lastGlyph: PlacedGlyph | undefined
  for (const item of items) {
    if (item.space) {
      endWord()
      text += ' '
      const last = spans.at(-1)
      if (last) last.text += ' '
      continue
    }
    const g = item.glyphs[0] as PlacedGlyph
    const style: Style =
      lastStyle && lastGlyph && sameLook(lastGlyph, g) && sameOwner(lastStyle, g, page)
        ? lastStyle
        : styleOf(g, page)
    const last = spans.at(-1)
    if (last && last.style === style) last.text += g.text
    else spans.push({ text: g.text, style })
    lastStyle = style
    lastGlyph = g
    text += g.text
    if (word) {
      word.text += g.text
      word.boxes.push(g.box)
    } else word = { text: g.text, boxes: [g.box] }
  }
  endWord()
  const main = mainGlyph(inkedPainted)
  const tags = inkedPainted.map((g) => page.tags.get(g.tag)).filter((t) => t !== undefined)
  return {
    box: {
      x0: raw.x0,
      y0: Math.min(...inkedPainted.map((g) => g.y - g.font.ascent * g.size)),
      x1: raw.x1,
      y1: Math.max(...inkedPainted.map((g) => g.y + g.font.descent * g.size)),
    },
    baseline: main.y,
    size: main.size,
    font: main.font,
    spans,
    text: text.normalize('NFC'),
    words,
    rtl,
    tag: tags[0],
    order: Math.min(...inkedPainted.map((g) => g.order)),
    turn: 0,
  }
}

/** A space painted over the letters, from another place of the text, parts nothing. */
function isStray(
  space: PlacedGlyph,
  a: PlacedGlyph,
  b: PlacedGlyph,
  index: ReadonlyMap<PlacedGlyph, number>,
): boolean {
  if (b.box.x0 - a.box.x1 > 0.08 * Math.min(a.size, b.size)) return false
  const [at, from, to] = [index.get(space) ?? 0, index.get(a) ?? 0, index.get(b) ?? 0]
  return at < Math.min(from, to) || at > Math.max(from, to)
}

/** Right-to-left stretches keep the order of the text page where it is a plain reversal of what is painted. */
function logicalOrder<T extends { space: boolean }>(stretch: T[], at: (t: T) => number): T[] {
  // Spaces have no glyph of their own: reverse first, then mend the order inside each word.
  const reversed = [...stretch].reverse()
  const out: T[] = []
  let word: T[] = []
  const flush = (): void => {
    out.push(...word.sort((a, b) => at(a) - at(b)))
    word = []
  }
  for (const t of reversed) {
    if (t.space) {
      flush()
      out.push(t)
    } else word.push(t)
  }
  flush()
  return out
}

function mainGlyph(glyphs: readonly PlacedGlyph[]): PlacedGlyph {
  const counts = new Map<string, { count: number; glyph: PlacedGlyph }>()
  let last: { count: number; glyph: PlacedGlyph } | undefined
  for (const g of glyphs) {
    if (last && last.glyph.font === g.font && last.glyph.size === g.size && last.glyph.script === g.script) {
      last.count++
      continue
    }
    const key = `${g.font.name}/${g.size.toFixed(1)}/${g.script ?? ''}`
    last = counts.get(key)
    if (last) last.count++
    else {
      last = { count: 1, glyph: g }
      counts.set(key, last)
    }
  }
  let best: { count: number; glyph: PlacedGlyph } | undefined
  for (const entry of counts.values()) if (!best || entry.count > best.count) best = entry
  return (best as { glyph: PlacedGlyph }).glyph
}

function sameLook(a: PlacedGlyph, b: PlacedGlyph): boolean {
  return (
    a.font === b.font &&
    a.color === b.color &&
    a.script === b.script &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    Math.abs(a.size - b.size) < 0.05 * a.size
  )
}

const centreOf = (g: PlacedGlyph): [number, number] => [(g.box.x0 + g.box.x1) / 2, g.y - 0.3 * g.size]

function sameOwner(style: Style, g: PlacedGlyph, page: Page): boolean {
  return (
    linkAt(g, page) === style.link &&
    fieldAt(g, page) === style.field &&
    highlightAt(g, page) === style.highlight
  )
}

function linkAt(g: PlacedGlyph, page: Page): Style['link'] {
  if (page.links.length === 0) return undefined
  const [x, y] = centreOf(g)
  return page.links.find((l) => contains(l.box, x, y, 0.5))
}

function fieldAt(g: PlacedGlyph, page: Page): Style['field'] {
  if (page.fields.length === 0) return undefined
  const [x, y] = centreOf(g)
  return page.fields.find((f) => contains(f.box, x, y, 0.5))
}

const markers = new Set(['ffff00', '00ff00', '00ffff', 'ff00ff'])

function highlightAt(g: PlacedGlyph, page: Page): string | undefined {
  if (page.fills.length === 0) return undefined
  const [x, y] = centreOf(g)
  const fill = page.fills.find(
    (f) => markers.has(f.color) && contains(f.box, x, y) && f.box.y1 - f.box.y0 < 2 * g.size,
  )
  return fill?.color
}

function styleOf(g: PlacedGlyph, page: Page): Style {
  return {
    font: g.font,
    size: g.size,
    bold: g.font.bold,
    italic: g.font.italic,
    color: g.color,
    underline: g.underline,
    strike: g.strike,
    script: g.script,
    link: linkAt(g, page),
    field: fieldAt(g, page),
    highlight: highlightAt(g, page),
  }
}
