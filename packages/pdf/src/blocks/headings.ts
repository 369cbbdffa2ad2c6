import type { PdfDocument } from '../read/page.ts'
import { minPattern, sizeableShare } from '../tolerances.ts'
import { type Block, opened, type Paragraph, paragraphsOf } from './block.ts'
import { type BodyLook, bodyLook, isRunningText } from './body-look.ts'
import { isHeavier, lookOf, rank } from './heading-levels.ts'
import { fromBookmarks, fromContents, fromTags, markContents } from './heading-marks.ts'
import {
  apart,
  biggerBold,
  isCapitals,
  isHeading,
  isHeadingText,
  isNumbered,
  longestBold,
  minUnder,
} from './heading-rules.ts'

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

function markHeadings(all: readonly Block[], pdf: PdfDocument): void {
  const blocks = opened(all)
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '' && !b.aside)
  if (paragraphs.length === 0) return
  markContents(paragraphs)
  const isTagged = fromTags(paragraphs) > 0
  if (!isTagged) {
    fromBookmarks(paragraphs, pdf.bookmarks)
    fromContents(paragraphs)
  }
  const marked = paragraphs.filter((p) => p.heading !== undefined)
  // Fewer are not all headings of their level.
  const listed = marked.length < minPattern ? undefined : marked.reduce((a, b) => (isHeavier(b, a) ? b : a))
  const body = bodyLook(withRunningText(paragraphs, blocks))
  const found = paragraphs.filter(
    (p, i) =>
      p.heading === undefined &&
      !(isTagged && (!listed || isHeavier(listed, p))) &&
      isHeading(p, {
        following: paragraphs.slice(i + 1, i + 1 + lookAhead),
        previous: paragraphs[i - 1],
        body,
        listed,
      }),
  )
  const confirmed = withoutLeadIns(withSomethingBelow(withoutStacks(found), blocks), blocks)
  const isImplausible = confirmed.length === 0 && marked.length === 0
  rank(isImplausible ? findFallbackHeadings(paragraphs, body) : confirmed, paragraphs, body.size)
}

/** If all running text is in tables, headings are compared with the text of the cells. */
function withRunningText(paragraphs: readonly Paragraph[], blocks: readonly Block[]): readonly Paragraph[] {
  return paragraphs.some(isRunningText) ? paragraphs : [...paragraphsOf(blocks)].filter((p) => p.text !== '')
}

const chapterNumber =
  /^(?:\p{L}+\.?\s*(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])[.:]?|第\s?[\d一二三四五六七八九十]{1,3}\s?[章部编編])$/u

/**
 * A line directly above a larger heading has no text of its own: authors and dates below a title. "Chapter 1" belongs
 * to the title below it, of any size.
 */
function withoutLeadIns(found: readonly Paragraph[], blocks: readonly Block[]): Paragraph[] {
  const all = new Set<Block>(found)
  const kept: Paragraph[] = []
  let next: Paragraph | undefined
  for (const b of blocks.toReversed()) {
    if (b.kind === 'table' || (!all.has(b) && b.heading === undefined && b.text.length > minUnder))
      next = undefined
    else if (all.has(b)) {
      const isLeadIn = next && ((isHeavier(next, b) && !isNumbered(b)) || chapterNumber.test(b.text))
      if (isLeadIn && next?.page === b.page) continue
      kept.push(b)
      next = b
    } else if (b.heading !== undefined) next = b
  }
  return kept.toReversed()
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
 * date or a signature, unless it looks like another heading; the largest line of a cover is the title.
 */
function withSomethingBelow(found: readonly Paragraph[], blocks: readonly Block[]): Paragraph[] {
  const all = new Set<Block>(found)
  const isText = (b: Block): boolean => b.kind === 'table' || (!all.has(b) && b.text.length > minUnder)
  const pages = new Set(blocks.filter(isText).map((b) => b.page))
  const lastText = blocks.findLastIndex(isText)
  const after = new Set(blocks.slice(lastText + 1))
  const biggest = new Map<number, number>()
  for (const p of found) biggest.set(p.page, Math.max(p.size, biggest.get(p.page) ?? 0))
  const largest = new Set(found.filter((p) => p.size >= (biggest.get(p.page) ?? 0)))
  // A poster or a certificate is all cover.
  if (lastText < 0 && largest.size === 1) return [...largest]
  const looks = new Set(found.filter((p) => !after.has(p)).map(lookOf))
  const isLast = (p: Paragraph): boolean => after.has(p) && !(looks.has(lookOf(p)) && p !== blocks.at(-1))
  return found.filter((p) => !isLast(p) && (pages.has(p.page) || largest.has(p)))
}

// A document without any heading is implausible: most have at least a title. In this case every short line that looks
// different from the body text is a heading, without the evidence from adjacent lines that is usually required. If there
// is none, a document of several pages takes numbers, capitals and italics for it; a single page may well have none.

/** The headings of a document in which the usual rules find none. */
function findFallbackHeadings(paragraphs: readonly Paragraph[], body: BodyLook): Paragraph[] {
  const possible = paragraphs.filter((p) => isShort(p) && isHeadingText(p))
  const outstanding = possible.filter((p) => standsOut(p, body))
  const isLong = paragraphs.at(-1)?.page !== paragraphs[0]?.page
  const found = outstanding.length > 0 || !isLong ? outstanding : possible.filter(isMarked)
  return found.length <= sizeableShare * paragraphs.length ? found : []
}

const isShort = (p: Paragraph): boolean =>
  p.text.length <= longestBold && (p.tabs.length === 0 || /^\S+\t[^\t]*$/.test(p.text))

const standsOut = (p: Paragraph, body: BodyLook): boolean =>
  !/[.。]$/u.test(p.text) && (p.size >= biggerBold * body.size || (p.bold && p.size >= body.size))

/** Same size and weight as the body text, but numbered, in capitals or in italics, with space above. */
const isMarked = (p: Paragraph): boolean =>
  p.lines === 1 &&
  !/[.:。]$/u.test(p.text) &&
  p.before > 0 &&
  (isNumbered(p) || isCapitals(p.text) || p.runs.every((r) => r.style.italic))
