import type { XmlElement } from '../../../package/edit-xml.ts'

// A sign that the font lacks is shown in a font that has it. Word makes the line as high as that font, and LibreOffice
// does not. Fonts for text lack the block Dingbats and emoji; Word takes Segoe UI Symbol for the one and Segoe UI
// Emoji, which is as high, for the others. So Segoe UI Symbol is named, for bullets (list-labels.ts) and in text. Its substitute lacks
// emoji, so they stay in colour; the few that it has, mostly faces, are left alone for that.

const oneOrMore = String.raw`(?:[\u2701-\u27bf\u{1f300}-\u{1f310}\u{1f319}-\u{1f42c}\u{1f436}-\u{1f5ff}\u{1f644}-\u{1faff}][\u200d\ufe0e\ufe0f]*)+`
const onlySigns = new RegExp(`^${oneOrMore}$`, 'u')
export const signs = new RegExp(oneOrMore, 'gu')
export const signFont = 'Segoe UI Symbol'
export const signFonts = fontsElement(signFont)
/** The element that names one font for all scripts. */
export function fontsElement(family: string): string {
  return `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}" w:hint="default"/>`
}

/** Another font than these may have the sign. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

export interface Range {
  start: number
  end: number
}

/** What is known about a run or a list level while it is read. */
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

/** Records the properties of a run or level; `parent` is the element that contains `element`. */
export function readProperties(holder: Holder, element: XmlElement, parent: XmlElement | undefined): void {
  if (element.name === 'w:rPr' && parent === holder.element) {
    holder.properties = element
    holder.fontsAt = element.end
  } else if (parent?.name === 'w:rPr' && parent.start === holder.properties?.start) {
    if (element.name === 'w:rFonts') holder.fonts = element
    if (element.name === 'w:rStyle') holder.fontsAt = element.end
  }
}
