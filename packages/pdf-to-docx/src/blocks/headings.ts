import type { Bookmark, PdfDocument, Tag } from '../read/page.ts'
import type { Block, Paragraph } from './block.ts'
import { readNumber } from './numbers.ts'

// Headings: told by tags and bookmarks where the PDF has them, else by size, weight and numbering
// against the body text.

const longest = 220

export function findHeadings(blocks: readonly Block[], pdf: PdfDocument): void {
  markHeadings(blocks, pdf)
  // Where the source itself parted a heading from its text, so may the copy.
  for (const [i, b] of blocks.entries())
    if (b.kind === 'paragraph' && b.heading !== undefined)
      b.keepNext = blocks[i + 1]?.page === b.page && !blocks[i + 1]?.startsColumn
}

function markHeadings(blocks: readonly Block[], pdf: PdfDocument): void {
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '' && !b.aside)
  if (paragraphs.length === 0) return
  markContents(paragraphs)
  const tagged = fromTags(paragraphs)
  if (tagged > 0) return
  const marked = fromBookmarks(paragraphs, pdf.bookmarks) + fromContents(paragraphs)
  const body = bodyLook(paragraphs)
  const found = paragraphs.filter(
    (p, i) =>
      p.heading === undefined &&
      isHeading(p, paragraphs.slice(i + 1, i + 8), paragraphs[i - 1], body, marked > 0),
  )
  rank(found, paragraphs, body)
}

const tagLevel = (tag: Tag | undefined): number | undefined => {
  for (let t = tag; t; t = t.parent) {
    const m = /^H([1-6])?$/.exec(t.type)
    if (m) return m[1] ? Number(m[1]) : 1
    if (t.type === 'Title') return 0
  }
  return undefined
}

/** A heading tag on text that reads like a paragraph is not believed. */
function fromTags(paragraphs: readonly Paragraph[]): number {
  let count = 0
  for (const p of paragraphs) {
    const level = tagLevel(p.tag)
    if (level === undefined || p.text.length > 2 * longest || p.list) continue
    p.heading = level
    count++
  }
  return count
}

/** Lines that lead to a page number, by their indents. */
function markContents(paragraphs: readonly Paragraph[]): void {
  const entries = paragraphs.filter(
    (p) => p.tabs.some((t) => t.leader) && /\t[\divxlc]{1,5}$/i.test(p.text.trim()),
  )
  if (entries.length < 3) return
  const indents: number[] = []
  for (const at of entries.map((p) => p.left + Math.min(0, p.first)).sort((a, b) => a - b))
    if (indents.length === 0 || at - (indents.at(-1) as number) > 5) indents.push(at)
  for (const p of entries) {
    const at = p.left + Math.min(0, p.first)
    p.toc = Math.min(4, 1 + indents.findLastIndex((i) => at >= i - 1))
  }
}

/** What the table of contents names is a heading where it stands. */
function fromContents(paragraphs: readonly Paragraph[]): number {
  let count = 0
  const entries = paragraphs.filter((p) => p.toc !== undefined)
  if (entries.length < 3) return 0
  let from = paragraphs.indexOf(entries.at(-1) as Paragraph) + 1
  for (const entry of entries) {
    const wanted = plain(unnumbered(entry.text.replace(/\t[^\t]*$/, '')))
    if (wanted.length < 3) continue
    const at = paragraphs.findIndex(
      (p, i) =>
        i >= from && p.toc === undefined && p.text.length < longest && plain(unnumbered(p.text)) === wanted,
    )
    const match = paragraphs[at]
    if (!match) continue
    from = at + 1
    if (match.heading === undefined) {
      match.heading = entry.toc
      count++
    }
  }
  return count
}

/** Without a number in front: `2.1`, `IV-B`, `(a)`, `Appendix A:` stays. */
const unnumbered = (text: string): string =>
  text.trim().replace(/^(?:(?:[IVXLC]+|\d{1,3}|[A-Z])(?:[-.]\w{1,3})*[.:)]?|\(\w{1,3}\))[\s\t]+(?=\S)/, '')

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function fromBookmarks(paragraphs: readonly Paragraph[], bookmarks: readonly Bookmark[]): number {
  let count = 0
  for (const mark of bookmarks) {
    const wanted = plain(mark.title)
    if (wanted.length < 2) continue
    const match = paragraphs.find(
      (p) =>
        p.heading === undefined &&
        (mark.page < 0 || Math.abs(p.page - mark.page) <= 0) &&
        p.text.length < longest + 40 &&
        (plain(p.text) === wanted || plain(unnumbered(p.text)) === plain(unnumbered(mark.title))),
    )
    if (!match || match.list) continue
    match.heading = Math.min(6, mark.level)
    count++
  }
  return count
}

interface BodyLook {
  size: number
  bold: boolean
  /** Its look is that of much of the text, so it marks nothing. */
  common: (p: Paragraph) => boolean
}

function bodyLook(paragraphs: readonly Paragraph[]): BodyLook {
  const weights = new Map<number, number>()
  const looks = new Map<string, number>()
  const lookOf = (p: Paragraph): string => `${Math.round(p.size * 2)}/${p.bold}`
  let bold = 0
  let total = 0
  for (const p of paragraphs) {
    looks.set(lookOf(p), (looks.get(lookOf(p)) ?? 0) + p.text.length)
    const key = Math.round(p.size * 2) / 2
    weights.set(key, (weights.get(key) ?? 0) + p.text.length)
    total += p.text.length
    if (p.bold) bold += p.text.length
  }
  const size = [...weights.entries()].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10
  return {
    size,
    bold: bold > 0.5 * total,
    common: (p) => (looks.get(lookOf(p)) ?? 0) > (p.bold ? 0.35 : 0.14) * total && total > 1500,
  }
}

const hasLetters = /\p{L}{2}/u

function isHeading(
  p: Paragraph,
  following: readonly Paragraph[],
  previous: Paragraph | undefined,
  body: BodyLook,
  outlined: boolean,
): boolean {
  const { text } = p
  const next = following[0]
  if (p.toc !== undefined || !/^[\p{L}\p{N}("'“„«¿¡[【<§]/u.test(text)) return false
  if (text.length > longest || p.lines > 4 || !hasLetters.test(text) || p.tabs.some((t) => t.leader))
    return false
  if (p.list && p.list.format === 'bullet') return false
  if (/[,;]$/.test(text) || p.hidden) return false
  const ratio = p.size / body.size
  const sentence = /[.!?。]$/.test(text) && text.length > 60
  const numbered = p.label !== '' && readNumber(p.label).length > 0
  if (p.tabs.length > 0 && !numbered) return false
  if (p.font.mono) return false
  if (ratio >= (p.bold ? 1.1 : 1.17) && (!sentence || (p.bold && !body.bold)) && p.lines <= 3)
    return !body.common(p) && !(p.align === 'justify' && p.lines > 1) && text.length < 160
  // Against its own surroundings: appendices may be set smaller as a whole.
  const around = following.find((o) => !o.bold && o.text.length > 40)
  if (outlined || (ratio < 0.93 && (!around || p.size < 0.97 * around.size))) return false
  if (p.list && !p.bold) return false
  const short = p.lines <= 2 && text.length < 130
  const boldHere = p.bold && !body.bold && short && !/[.:]$/.test(text)
  // A heading has text under it that looks different, if not at once then after other headings.
  const nextDiffers = following.some((o) => !o.bold && o.text.length > 40)
  const apartAbove = p.before > 0.35 * p.size || !previous?.bold || p.startsPage
  const apartBelow = !next?.bold || next.before > 0.35 * p.size
  if (boldHere && nextDiffers && apartAbove && apartBelow) return true
  const capitals = text === text.toUpperCase() && /\p{Lu}{3}/u.test(text)
  const italic = p.runs.every((r) => r.style.italic || !r.text.trim())
  const smallCaps = isSmallCaps(p)
  if (numbered && short && !p.list && p.lines === 1 && !/[.:]$/.test(text)) {
    if (p.align === 'center' && (capitals || smallCaps)) return true
    if (italic && next !== undefined && !next.runs.every((r) => r.style.italic)) return true
  }
  if (
    (capitals || smallCaps) &&
    p.align === 'center' &&
    p.lines === 1 &&
    next !== undefined &&
    next.text.length > 2 * text.length &&
    previous !== undefined
  )
    return true
  return false
}

/** Capitals in two sizes. */
function isSmallCaps(p: Paragraph): boolean {
  if (p.text !== p.text.toUpperCase() || !/\p{Lu}{3}/u.test(p.text)) return false
  const sizes = p.runs.filter((r) => /\p{Lu}/u.test(r.text)).map((r) => r.style.size)
  return sizes.length > 1 && Math.max(...sizes) > 1.1 * Math.min(...sizes)
}

/** Levels by look: bigger before smaller, then the order of appearance; numbering overrules. */
function rank(found: readonly Paragraph[], all: readonly Paragraph[], body: BodyLook): void {
  const looks = new Map<
    string,
    { size: number; bold: boolean; weight: number; depth: number; items: Paragraph[] }
  >()
  for (const p of found) {
    const numbers = /^\s*(\d{1,3}(?:\.\d{1,3})*)\.?\s/.exec(p.label ? `${p.label} ` : p.text)
    const depth = numbers ? (numbers[1] as string).split('.').length : 0
    const italic = p.runs.every((r) => r.style.italic || !r.text.trim())
    const key = `${Math.round(p.size * 2)}/${p.bold}/${italic}/${isSmallCaps(p)}/${depth > 0 ? depth : (readNumber(p.label)[0]?.format ?? '')}`
    const entry = looks.get(key)
    if (entry) entry.items.push(p)
    else
      looks.set(key, {
        size: p.size,
        bold: p.bold,
        weight: p.size * 10 + (p.bold ? 3 : 0) - (italic ? 1 : 0) + (p.align === 'center' ? 0.5 : 0),
        depth,
        items: [p],
      })
  }
  const ordered = [...looks.values()].sort((a, b) => b.weight - a.weight || a.depth - b.depth)
  const first = ordered[0]
  const top = all[0]
  // One big line at the top of the first page is the title.
  if (
    first &&
    first.items.length <= 2 &&
    first.items[0] &&
    first.items[0].page === 0 &&
    first.size >= 1.25 * body.size &&
    ordered.length > 1 &&
    top &&
    first.items.every((p) => p.page === 0 && p.firstBaseline - top.firstBaseline < 260)
  ) {
    for (const p of first.items) p.heading = 0
    ordered.shift()
  }
  let level = 0
  let lastWeight = Infinity
  for (const look of ordered) {
    if (look.weight < lastWeight - 2) {
      level++
      lastWeight = look.weight
    }
    for (const p of look.items) p.heading = Math.max(1, Math.min(6, level))
  }
  for (const p of found) if (p.heading !== undefined && p.list) p.list = undefined
}
