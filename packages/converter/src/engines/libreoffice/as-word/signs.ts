import type { XmlElement } from '../../../package/edit-xml.ts'

// A symbol that the font lacks is displayed in a fallback font. Word adjusts the line height to the fallback font,
// LibreOffice does not. Text fonts lack the Dingbats block and emoji; Word uses Segoe UI Symbol for the former and
// Segoe UI Emoji, which has the same height, for the latter. So Segoe UI Symbol is set, for bullets (list-labels.ts)
// and in text. Its substitute lacks emoji, so they stay in colour; the few that it has, mostly faces, are not changed
// for that reason.

const oneOrMore = String.raw`(?:[\u2701-\u27bf\u{1f300}-\u{1f310}\u{1f319}-\u{1f42c}\u{1f436}-\u{1f5ff}\u{1f644}-\u{1faff}][\u200d\ufe0e\ufe0f]*)+`
const onlySigns = new RegExp(`^${oneOrMore}$`, 'u')
export const signs = new RegExp(oneOrMore, 'gu')
export const signFont = 'Segoe UI Symbol'
export const signFonts = fontsElement(signFont)
/** An element that sets one font for all scripts. */
export function fontsElement(family: string): string {
  return `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}" w:hint="default"/>`
}

/** Fonts other than these may have the symbol. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

export interface Range {
  start: number
  end: number
}

/** State of a run or a list level while it is parsed. */
export interface Holder {
  element: XmlElement
  properties?: Range
  /** The end of the start tag of `w:rPr`, or of the `w:rStyle` that must come first in it. */
  fontsAt?: number
  fonts?: XmlElement
}

export const isOnlySigns = (text: string): boolean => onlySigns.test(text)

export const mayLack = ({ fonts }: Holder): boolean =>
  fonts === undefined || textFonts.test(fonts.attributes['w:ascii'] ?? '')

/** Records the properties of a run or level; `parent` is the parent of `element`. */
export function readProperties(holder: Holder, element: XmlElement, parent: XmlElement | undefined): void {
  if (element.name === 'w:rPr' && parent === holder.element) {
    holder.properties = element
    holder.fontsAt = element.end
  } else if (parent?.name === 'w:rPr' && parent.start === holder.properties?.start) {
    if (element.name === 'w:rFonts') holder.fonts = element
    if (element.name === 'w:rStyle') holder.fontsAt = element.end
  }
}
