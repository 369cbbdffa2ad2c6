import { sizeableShare } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { biggerBold, isCapitals, isHeadingText, isNumbered, longestBold } from './heading-rules.ts'

// A document without any heading is implausible: most have at least a title. In this case every short line that looks
// different from the body text is a heading, without the evidence from adjacent lines that is usually required.

/** The headings of a document in which the usual rules find none. */
export function findFallbackHeadings(paragraphs: readonly Paragraph[], body: BodyLook): Paragraph[] {
  const possible = paragraphs.filter((p) => isShort(p) && isHeadingText(p))
  const outstanding = possible.filter((p) => standsOut(p, body))
  if (outstanding.length === 0)
    return fewOf(
      possible.filter((p) => isMarked(p) && p !== paragraphs.at(-1)),
      paragraphs,
    )
  return fewOf(outstanding, paragraphs)
}

const fewOf = (found: Paragraph[], all: readonly Paragraph[]): Paragraph[] =>
  found.length <= sizeableShare * all.length ? found : []

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
