import type { PdfDocument } from '../read/page.ts'
import type { Block, Paragraph } from './block.ts'
import { copyBlocks } from './copy.ts'
import { isSmallCaps, rank } from './heading-levels.ts'
import { fromBookmarks, fromContents, fromTags, longest, markContents, unnumbered } from './heading-marks.ts'
import { readNumber } from './numbers.ts'

// Headings: told by tags and bookmarks where the PDF has them, else by size, weight, numbering,
// capitals and the space around them, against the body text.

export function findHeadings(given: readonly Block[], pdf: PdfDocument): Block[] {
  const blocks = copyBlocks(given)
  markHeadings(blocks, pdf)
  // Where the source itself parted a heading from its text, so may the copy.
  for (const [i, b] of blocks.entries())
    if (b.kind === 'paragraph' && b.heading !== undefined)
      b.keepNext = blocks[i + 1]?.page === b.page && !blocks[i + 1]?.startsColumn
  return blocks
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
      isHeading(p, paragraphs.slice(i + 1, i + 8), paragraphs[i - 1], body, marked > 2),
  )
  rank(withSomethingBelow(withoutStacks(found), blocks), paragraphs, body.size)
}

/** Three lines and more that look alike and touch are an address or a letterhead. */
function withoutStacks(found: readonly Paragraph[]): Paragraph[] {
  const stacks: Paragraph[][] = []
  for (const p of found) {
    const last = stacks.at(-1)?.at(-1)
    const touches =
      last !== undefined &&
      last.page === p.page &&
      last.size === p.size &&
      last.bold === p.bold &&
      p.before < 0.35 * p.size &&
      p.firstBaseline > last.lastBaseline &&
      p.firstBaseline - last.lastBaseline < 2 * p.size
    if (touches && p.label === '') stacks.at(-1)?.push(p)
    else stacks.push([p])
  }
  return stacks.filter((s) => s.length < 3).flat()
}

/**
 * A heading heads something. What stands on a page without any text, or at the end of everything, is a
 * cover, a date or a signature; the biggest line of a cover is the title.
 */
function withSomethingBelow(found: readonly Paragraph[], blocks: readonly Block[]): Paragraph[] {
  const all = new Set<Block>(found)
  const isText = (b: Block): boolean => b.kind === 'table' || (!all.has(b) && b.text.length > 40)
  const pages = new Set(blocks.filter(isText).map((b) => b.page))
  const lastText = blocks.findLastIndex(isText)
  const after = new Set(blocks.slice(lastText + 1))
  const biggest = new Map<number, number>()
  for (const p of found) biggest.set(p.page, Math.max(p.size, biggest.get(p.page) ?? 0))
  return found.filter((p) => {
    if (after.has(p)) return lastText < 0
    return pages.has(p.page) || p.size >= (biggest.get(p.page) ?? 0)
  })
}

interface BodyLook {
  size: number
  bold: boolean
  /** Paragraphs of several lines are set in its look too. */
  running: (p: Paragraph) => boolean
  /** Its look is that of much of the text, so it marks nothing. */
  common: (p: Paragraph) => boolean
}

function bodyLook(paragraphs: readonly Paragraph[]): BodyLook {
  const weights = new Map<number, number>()
  const looks = new Map<string, number>()
  const lookOf = (p: Paragraph): string => `${Math.round(p.size * 2)}/${p.bold}`
  const running = new Set<string>()
  let bold = 0
  let total = 0
  for (const p of paragraphs) {
    if (p.lines > 1 && p.text.length > 100) running.add(lookOf(p))
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
    running: (p) => !p.bold && running.has(lookOf(p)),
    common: (p) => (looks.get(lookOf(p)) ?? 0) > (p.bold ? 0.35 : 0.14) * total && total > 1500,
  }
}

const hasLetters = /\p{L}{2}/u
const address = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+\.\S+$/i

/** Numbers, dates, telephone numbers: more digits than letters. */
function isMostlyDigits(text: string): boolean {
  const bare = unnumbered(text)
  const digits = bare.replace(/\P{N}/gu, '').length
  return digits >= bare.replace(/\P{L}/gu, '').length
}

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
  if (/[,;]$/.test(text) || p.hidden || address.test(text) || isMostlyDigits(text)) return false
  const ratio = p.size / body.size
  const sentence = /[.!?。]$/.test(text) && text.length > 60
  const numbered = p.label !== '' && readNumber(p.label).length > 0
  if (p.tabs.length > 0 && !numbered) return false
  if (p.font.mono) return false
  // A full stop ends a sentence, not a heading, unless everything else says otherwise.
  const stopped = /[^.][.!。]$/u.test(text)
  if (stopped && !(p.bold && !body.bold && (numbered || (ratio >= 1.25 && p.size >= 14)))) return false
  if (ratio >= (p.bold ? 1.1 : 1.17) && (!sentence || (p.bold && !body.bold)) && p.lines <= 3)
    return !body.common(p) && !body.running(p) && !(p.align === 'justify' && p.lines > 1) && text.length < 160
  // Against the text around it: appendices may be set smaller as a whole.
  const around = following.find((o) => !o.bold && o.text.length > 40)
  if (outlined || (ratio < 0.93 && (!around || p.size < 0.97 * around.size))) return false
  if (p.list && !p.bold) return false
  const short = p.lines <= 4 && text.length < 130
  const capitals = text === text.toUpperCase() && /\p{Lu}{3}/u.test(text)
  // A label beside its text is no heading above it.
  const above = next === undefined || next.left < p.left + 2 * p.size
  const boldHere = p.bold && !body.bold && short && (!/:$/.test(text) || (capitals && above))
  // A heading has text under it that looks different, if not at once then after other headings.
  const under = following.find((o) => !o.bold)
  const nextDiffers = under !== undefined && (under.text.length > 40 || under.label !== '')
  const apartAbove = p.before > 0.35 * p.size || !previous?.bold || p.startsPage
  const apartBelow = !next?.bold || next.before > 0.35 * p.size
  if (boldHere && nextDiffers && apartAbove && apartBelow) return true
  const italic = p.runs.every((r) => r.style.italic || !r.text.trim())
  const smallCaps = isSmallCaps(p)
  if (numbered && short && !p.list && p.lines === 1 && !/[.:]$/.test(text)) {
    if (p.align === 'center' && (capitals || smallCaps)) return true
    if (italic && next !== undefined && !next.runs.every((r) => r.style.italic)) return true
  }
  if (!(capitals || smallCaps) || p.lines > 1 || next === undefined || previous === undefined) return false
  if (next.text.length < 2 * text.length || /^\P{Ll}+$/u.test(next.text)) return false
  // In the middle, or with a line's space above and below.
  return p.align === 'center' || (p.before > 0.7 * p.size && next.before > 0.7 * p.size && text.length < 60)
}
