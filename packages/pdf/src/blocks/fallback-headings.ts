import { sizeableShare } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { biggerBold, isCapitals, isHeadingText, isNumbered, longestBold } from './heading-rules.ts'

// A document without any heading is implausible: most have at least a title. In this case every short line that looks
// different from the body text is a heading, without the evidence from adjacent lines that is usually required. If there
// is none, a document of several pages takes numbers, capitals and italics for it; a single page may well have none.

/** The headings of a document in which the usual rules find none. */
export function findFallbackHeadings(paragraphs: readonly Paragraph[], body: BodyLook): Paragraph[] {
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
