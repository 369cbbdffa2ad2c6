import { sizeableShare } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { isCapitals, isHeadingText, isNumbered } from './heading-rules.ts'

// A document in which no heading was found is implausible: most have a title at least. Then every short line that
// stands out from the text is one, without the evidence from the lines around it that is usually required.

/** In characters: what is longer is a sentence. */
const longestHeading = 110
/** Larger than the text by more than the rounding of sizes. */
const larger = 1.1

/** The headings of a document that has none by the usual rules. */
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
  p.text.length <= longestHeading && (p.tabs.length === 0 || /^\S+\t[^\t]*$/.test(p.text))

const standsOut = (p: Paragraph, body: BodyLook): boolean =>
  !/[.。]$/u.test(p.text) && (p.size >= larger * body.size || (p.bold && p.size >= body.size))

/** At the size and weight of the text: a number, capitals or italics, and space above. */
const isMarked = (p: Paragraph): boolean =>
  p.lines === 1 &&
  !/[.:。]$/u.test(p.text) &&
  p.before > 0 &&
  (isNumbered(p) || isCapitals(p.text) || p.runs.every((r) => r.style.italic))
