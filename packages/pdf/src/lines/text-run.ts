import { elementAt } from '../element-at.ts'
import { type Box, median } from '../geometry.ts'
import type { PlacedGlyph } from '../math/tree.ts'
import type { Page } from '../read/page.ts'
import { several } from '../tolerances.ts'
import type { Span, Style, TextRun, Word } from './line.ts'
import { isSpace, type RawTextRun, spaceBetween } from './rows.ts'
import { isRtl, mirrorBrackets, readingOrder } from './scripts.ts'
import { sameLook, sameOwner, styleOf } from './style.ts'

// Converts a sequence of glyphs to a text run: words from gaps, reading order, spans of one look.

/** Letters with wider spacing are words of one letter; in ems. */
const widestSpacing = 0.4
/** Letters this close have no space between them; in ems. */
const touching = 0.08

/** The index of a glyph in PDFium's text page. Computed on demand: few texts need it. */
export type PaintedOrder = (g: PlacedGlyph) => number

export function paintedOrder(glyphs: readonly PlacedGlyph[]): PaintedOrder {
  let index: Map<PlacedGlyph, number> | undefined
  return (g) => {
    index ??= new Map(glyphs.map((glyph, i) => [glyph, i]))
    return index.get(g.painted ?? g) ?? 0
  }
}

type Token = PlacedGlyph | ' '

export function buildTextRun(raw: RawTextRun, page: Page, order: PaintedOrder): TextRun {
  const inked = raw.glyphs.filter((g) => !isSpace(g))
  const { items, rtl } = inReadingOrder(withSpaces(raw, inked, order), order)
  const { text, spans, words } = asText(items, page)
  const main = mainGlyph(inked)
  let top = Infinity
  let bottom = -Infinity
  let first = Infinity
  for (const g of inked) {
    top = Math.min(top, g.y - g.font.ascent * g.size)
    bottom = Math.max(bottom, g.y + g.font.descent * g.size)
    first = Math.min(first, g.order)
  }
  const owner = page.tags.size > 0 ? inked.find((g) => page.tags.has(g.tag)) : undefined
  return {
    box: { x0: raw.x0, y0: top, x1: raw.x1, y1: bottom },
    baseline: main.y,
    size: main.size,
    font: main.font,
    spans,
    text,
    words,
    rtl,
    tag: owner && page.tags.get(owner.tag),
    order: first,
    turn: 0,
  }
}

/** A painted space belongs to the glyph after it; other spaces are gaps. */
function withSpaces(raw: RawTextRun, inked: readonly PlacedGlyph[], order: PaintedOrder): Token[] {
  // Letter-spaced text has the same gap everywhere; only a wider gap separates words.
  const gaps: number[] = []
  for (let i = 1; i < inked.length; i++)
    gaps.push(elementAt(inked, i).box.x0 - elementAt(inked, i - 1).box.x1)
  const usual = gaps.length >= several ? Math.max(0, Math.min(median(gaps), widestSpacing * raw.size)) : 0
  const spaces = raw.glyphs.filter(isSpace)
  const wide = spaces.filter((g) => g.box.x1 - g.box.x0 > touching * g.size)
  const paints = wide.length > spaces.length / 2
  const out: Token[] = []
  let space: PlacedGlyph | undefined
  let previous: PlacedGlyph | undefined
  for (const g of raw.glyphs) {
    if (isSpace(g)) {
      space ??= g
      continue
    }
    const painted = space !== undefined && previous !== undefined && !isStray(space, previous, g, order)
    if (previous && spaceBetween(previous, g, { painted, paints, usualGap: usual })) out.push(' ')
    out.push(g)
    previous = g
    space = undefined
  }
  return out
}

/** A space that is painted over the letters, from another position of the text, does not separate words. */
function isStray(space: PlacedGlyph, a: PlacedGlyph, b: PlacedGlyph, order: PaintedOrder): boolean {
  if (b.box.x0 - a.box.x1 > touching * Math.min(a.size, b.size)) return false
  const [at, from, to] = [order(space), order(a), order(b)]
  return at < Math.min(from, to) || at > Math.max(from, to)
}

/** Splits into words first, then orders them: direction is a property of words and runs of words. */
function inReadingOrder(tokens: Token[], order: PaintedOrder): { items: Token[]; rtl: boolean } {
  if (!tokens.some((t) => t !== ' ' && isRtl(t.text))) return { items: tokens, rtl: false }
  const texts = tokens.map((token) => ({ token, text: token === ' ' ? ' ' : token.text }))
  const { items, rtl } = readingOrder(texts, (stretch) => logicalOrder(stretch, order))
  const read = items.map((i) => i.token)
  if (!rtl) return { items: read, rtl }
  const mirrored = mirrorBrackets(items.map((i) => i.text))
  return {
    items: read.map((token, i) => (token === ' ' ? token : { ...token, text: mirrored[i] ?? token.text })),
    rtl,
  }
}

/** Right-to-left runs keep the order of the text page if it is a plain reversal of the paint order. */
function logicalOrder<T extends { token: Token }>(stretch: T[], order: PaintedOrder): T[] {
  const at = (t: T): number => (t.token === ' ' ? 0 : order(t.token))
  const isLetter = ({ token }: T): boolean => token !== ' ' && isRtl(token.text)
  // Spaces have no glyph: reverse first, then correct the order inside each word.
  const out: T[] = []
  let word: T[] = []
  const flush = (): void => {
    // Punctuation between the letters may be painted before or after them, in another font: it keeps its position.
    const letters = word.filter((t) => isLetter(t)).sort((a, b) => at(a) - at(b))
    out.push(...word.map((t) => (isLetter(t) ? (letters.shift() ?? t) : t)))
    word = []
  }
  for (const t of stretch.toReversed()) {
    if (t.token === ' ') {
      flush()
      out.push(t)
    } else word.push(t)
  }
  flush()
  return out
}

function asText(items: readonly Token[], page: Page): { text: string; spans: Span[]; words: Word[] } {
  const spans: Span[] = []
  const words: Word[] = []
  let word: Word | undefined
  let text = ''
  let style: Style | undefined
  let previous: PlacedGlyph | undefined
  for (const item of items) {
    const last = spans.at(-1)
    if (item === ' ') {
      word = undefined
      text += ' '
      if (last) last.text += ' '
      continue
    }
    if (!style || !previous || !sameLook(previous, item) || !sameOwner(style, item, page))
      style = styleOf(item, page)
    if (last && last.style === style) last.text += item.text
    else spans.push({ text: item.text, style })
    previous = item
    text += item.text
    if (word) {
      word.text += item.text
      stretch(word.box, item.box)
    } else {
      word = { text: item.text, box: { ...item.box } }
      words.push(word)
    }
  }
  return { text: text.normalize('NFC'), spans, words }
}

function stretch(box: Box, by: Box): void {
  if (by.x0 < box.x0) box.x0 = by.x0
  if (by.y0 < box.y0) box.y0 = by.y0
  if (by.x1 > box.x1) box.x1 = by.x1
  if (by.y1 > box.y1) box.y1 = by.y1
}

/** A glyph with the most common look. */
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
