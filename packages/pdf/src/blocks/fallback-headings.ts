import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { isColoured, isHeadingText, isNumbered, looksCapital } from './heading-rules.ts'

// A document in which no heading was found is implausible: most have a title at least. Then every short line that
// stands out from the text is one, without the evidence from the lines around it that is usually required.

/** In characters and lines: what is longer is a sentence. */
const longestHeading = 110
const longestPlain = 60
const mostLines = 3
/** Larger than the text by more than the rounding of sizes, and so large that even a full stop does not matter. */
const larger = 1.1
const muchLarger = 1.25
/** Where more paragraphs stand out, only the largest are headings. */
const mostOfDocument = 0.4

/** The headings of a document that has none by the usual rules. */
export function findFallbackHeadings(paragraphs: readonly Paragraph[], body: BodyLook): Paragraph[] {
  const possible = paragraphs.filter((p) => isShort(p) && isHeadingText(p))
  const outstanding = possible.filter((p) => standsOut(p, body))
  if (outstanding.length === 0)
    return fewOf(
      possible.filter((p) => isMarked(p, body) && p !== paragraphs.at(-1)),
      paragraphs,
    )
  const few = fewOf(outstanding, paragraphs)
  if (few.length > 0) return few
  const largest = Math.max(...outstanding.map((p) => p.size))
  return largest >= larger * body.size ? outstanding.filter((p) => p.size === largest) : []
}

const fewOf = (found: Paragraph[], all: readonly Paragraph[]): Paragraph[] =>
  found.length <= mostOfDocument * all.length ? found : []

const isShort = (p: Paragraph): boolean =>
  p.text.length <= longestHeading &&
  p.lines <= mostLines &&
  (p.tabs.length === 0 || (isNumbered(p) && /^\S+\t[^\t]*$/.test(p.text)))

const standsOut = (p: Paragraph, body: BodyLook): boolean =>
  p.size >= (/[.。]$/u.test(p.text) ? muchLarger : larger) * body.size ||
  (p.bold && !body.bold && p.size >= body.size && !/[.。]$/u.test(p.text))

/** At the size and weight of the text: a number, capitals, italics or a colour, and space above. */
const isMarked = (p: Paragraph, body: BodyLook): boolean =>
  p.lines === 1 &&
  p.text.length <= longestPlain &&
  !/[.:。]$/u.test(p.text) &&
  (p.before > 0 || p.startsPage) &&
  (isNumbered(p) || looksCapital(p) || isColoured(p, body) || isItalic(p))

const isItalic = (p: Paragraph): boolean => p.runs.every((r) => r.style.italic || !r.text.trim())
