import type { PdfDocument } from '../read/page.ts'
import { minPattern } from '../tolerances.ts'
import { type Block, type Paragraph, paragraphsOf } from './block.ts'
import { bodyLook, isRunningText } from './body-look.ts'
import { findFallbackHeadings } from './fallback-headings.ts'
import { rank } from './heading-levels.ts'
import { fromBookmarks, fromContents, fromTags, markContents } from './heading-marks.ts'
import { apart, isHeading, minUnder } from './heading-rules.ts'

// Finds headings: from tags and bookmarks if the PDF has them, otherwise by size, weight, numbering, capitals and
// surrounding space, compared with the body text.

/** Maximum line pitch of an address, in ems. */
const nextLine = 2

export function findHeadings(blocks: Block[], pdf: PdfDocument): Block[] {
  markHeadings(blocks, pdf)
  // If the source has a page break between a heading and its text, the output may have one too.
  for (const [i, b] of blocks.entries())
    if (b.kind === 'paragraph' && b.heading !== undefined)
      b.keepNext = blocks[i + 1]?.page === b.page && !blocks[i + 1]?.startsColumn
  return blocks
}

/** Other headings may precede the text below a heading, but only this many. */
const lookAhead = 7
/** If bookmarks or the table of contents list more headings than this, looks add only larger lines. */
const fewMarks = 2

function markHeadings(blocks: readonly Block[], pdf: PdfDocument): void {
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '' && !b.aside)
  if (paragraphs.length === 0) return
  markContents(paragraphs)
  const tagged = fromTags(paragraphs)
  if (tagged > 0) return
  const marked = fromBookmarks(paragraphs, pdf.bookmarks) + fromContents(paragraphs)
  const body = bodyLook(withRunningText(paragraphs, blocks))
  const found = paragraphs.filter(
    (p, i) =>
      p.heading === undefined &&
      isHeading(p, {
        following: paragraphs.slice(i + 1, i + 1 + lookAhead),
        previous: paragraphs[i - 1],
        body,
        outlined: marked > fewMarks,
      }),
  )
  const confirmed = withoutChapterNumbers(withSomethingBelow(withoutStacks(found), blocks), paragraphs)
  const isImplausible = confirmed.length === 0 && marked === 0
  rank(isImplausible ? findFallbackHeadings(paragraphs, body) : confirmed, paragraphs, body.size)
}

/** If all running text is in tables, headings are compared with the text of the cells. */
function withRunningText(paragraphs: readonly Paragraph[], blocks: readonly Block[]): readonly Paragraph[] {
  return paragraphs.some(isRunningText) ? paragraphs : [...paragraphsOf(blocks)].filter((p) => p.text !== '')
}

const chapterNumber =
  /^(?:\p{L}+\.?\s*(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])[.:]?|第\s?[\d一二三四五六七八九十]{1,3}\s?[章部編编])$/u

/** "Chapter 1" on a line of its own belongs to the title below it. */
function withoutChapterNumbers(found: readonly Paragraph[], paragraphs: readonly Paragraph[]): Paragraph[] {
  const all = new Set(found)
  const belongs = new Set(
    paragraphs.filter((p, i) => {
      const next = paragraphs[i + 1]
      const isTitled = next?.page === p.page && (all.has(next) || next.heading !== undefined)
      return isTitled && chapterNumber.test(p.text)
    }),
  )
  return found.filter((p) => !belongs.has(p))
}

/** Three or more adjacent lines of the same look are an address or a letterhead. */
function withoutStacks(found: readonly Paragraph[]): Paragraph[] {
  const stacks: Paragraph[][] = []
  for (const p of found) {
    const last = stacks.at(-1)?.at(-1)
    const touches =
      last !== undefined &&
      last.page === p.page &&
      last.size === p.size &&
      last.bold === p.bold &&
      p.before < apart * p.size &&
      p.firstBaseline > last.lastBaseline &&
      p.firstBaseline - last.lastBaseline < nextLine * p.size
    if (touches) stacks.at(-1)?.push(p)
    else stacks.push([p])
  }
  return stacks.filter((s) => s.length < minPattern).flat()
}

/**
 * A heading has text below it. A line on a page without body text or at the end of the document belongs to a cover, a
 * date or a signature; the largest line of a cover is the title.
 */
function withSomethingBelow(found: readonly Paragraph[], blocks: readonly Block[]): Paragraph[] {
  const all = new Set<Block>(found)
  const isText = (b: Block): boolean => b.kind === 'table' || (!all.has(b) && b.text.length > minUnder)
  const pages = new Set(blocks.filter(isText).map((b) => b.page))
  const lastText = blocks.findLastIndex(isText)
  const after = new Set(blocks.slice(lastText + 1))
  const biggest = new Map<number, number>()
  for (const p of found) biggest.set(p.page, Math.max(p.size, biggest.get(p.page) ?? 0))
  return found.filter((p) => !after.has(p) && (pages.has(p.page) || p.size >= (biggest.get(p.page) ?? 0)))
}
