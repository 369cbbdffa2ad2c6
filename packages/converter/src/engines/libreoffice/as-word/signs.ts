import type { XmlEditor, XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'

// A sign that the font lacks is shown in a font that has it. Word makes the line as high as that font, and LibreOffice
// does not. Fonts for text lack the block Dingbats and emoji; Word takes Segoe UI Symbol for the one and Segoe UI
// Emoji, which is as high, for the others. So Segoe UI Symbol is named, for bullets (list-labels.ts) and in text. Its substitute lacks
// emoji, so they stay in colour; the few that it has, mostly faces, are left alone for that.

const oneOrMore = String.raw`(?:[\u2701-\u27bf\u{1f300}-\u{1f310}\u{1f319}-\u{1f42c}\u{1f436}-\u{1f5ff}\u{1f644}-\u{1faff}][\u200d\ufe0e\ufe0f]*)+`
const onlySigns = new RegExp(`^${oneOrMore}$`, 'u')
const signs = new RegExp(oneOrMore, 'gu')
export const signFont = 'Segoe UI Symbol'
const named = fontsElement(signFont)
/** The element that names one font for all scripts. */
export function fontsElement(family: string): string {
  return `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}" w:hint="default"/>`
}

/** Another font than these may have the sign. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

export const hasSigns = (xml: string): boolean => xml.search(signs) >= 0

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

// Each sign repeats the properties of its run, which may be as long as their author likes.
const maxAddedLength = 4_000_000
const textStart = '<w:t xml:space="preserve">'

/** Splits runs before and after their signs, and names the font of the signs. */
export function signFontVisitor(): XmlVisitor {
  const path: XmlElement[] = []
  const runs: Holder[] = []
  let added = 0

  const splitAtSigns = (run: Holder, text: XmlElement, end: Range, editor: XmlEditor) => {
    const letters = editor.source(text.end, end.start)
    const count = letters.match(signs)?.length ?? 0
    if (count === 0 || !mayLack(run)) return
    const start = editor.source(run.element.start, run.element.end)
    const properties = run.properties ? editor.source(run.properties.start, run.properties.end) : ''
    added += 2 * count * (start.length + properties.length + named.length)
    if (added > maxAddedLength) return
    const signProperties = withFonts(run, properties)
    const split = letters.replaceAll(
      signs,
      (found) =>
        `</w:t></w:r>${start}${signProperties}${textStart}${found}</w:t></w:r>${start}${properties}${textStart}`,
    )
    editor.replace(text.start, end.end, `${textStart}${split}</w:t>`)
  }

  return {
    open(element) {
      const run = runs.at(-1)
      if (element.name === 'w:r') runs.push({ element })
      else if (run) readProperties(run, element, path.at(-1))
      path.push(element)
    },
    close(element, end, editor) {
      path.pop()
      const run = runs.at(-1)
      if (element.name === 'w:r') runs.pop()
      else if (run && path.at(-1) === run.element) {
        if (element.name === 'w:rPr') run.properties = { start: element.start, end: end.end }
        if (element.name === 'w:t') splitAtSigns(run, element, end, editor)
      }
    },
  }
}

/** The properties of a run, with the font of signs. */
function withFonts({ element, fonts, fontsAt, properties }: Holder, source: string): string {
  if (!properties || fontsAt === undefined) return `<w:rPr>${named}</w:rPr>`
  if (fonts)
    return (
      source.slice(0, fonts.start - properties.start) + named + source.slice(fonts.end - properties.start)
    )
  // An empty element has no room for the font.
  if (source.endsWith('/>') && fontsAt === properties.end && element.end <= properties.start)
    return `<w:rPr>${named}</w:rPr>`
  const at = fontsAt - properties.start
  return source.slice(0, at) + named + source.slice(at)
}
