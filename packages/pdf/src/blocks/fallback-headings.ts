import { sizeableShare } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { biggerBold, isHeadingText, longestBold } from './heading-rules.ts'

// A document without any heading is implausible: most have at least a title. In this case every short line that looks
// different from the body text is a heading, without the evidence from adjacent lines that is usually required.

/** The headings of a document in which the usual rules find none. */
export function findFallbackHeadings(paragraphs: readonly Paragraph[], body: BodyLook): Paragraph[] {
  const found = paragraphs.filter((p) => isShort(p) && isHeadingText(p) && standsOut(p, body))
  return found.length <= sizeableShare * paragraphs.length ? found : []
}

const isShort = (p: Paragraph): boolean =>
  p.text.length <= longestBold && (p.tabs.length === 0 || /^\S+\t[^\t]*$/.test(p.text))

const standsOut = (p: Paragraph, body: BodyLook): boolean =>
  !/[.。]$/u.test(p.text) && (p.size >= biggerBold * body.size || (p.bold && p.size >= body.size))
