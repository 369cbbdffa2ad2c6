import type { XmlEditor, XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'
import { type Holder, readProperties } from './run-properties.ts'

// In Word the label of a list item, a bullet or a number, adds its font's ascent to the line height, but not its
// descent. LibreOffice counts the descent too: an item with Courier New's "o" is 0.03 em taller than in Word. So fonts
// with a larger descent than most text get variants without one (fonts/substitutes.json).
//
// A symbol that the font lacks is displayed in a fallback font. Word adjusts the line height to the fallback font,
// LibreOffice does not. Text fonts lack the Dingbats block and emoji; Word uses Segoe UI Symbol for the former and
// Segoe UI Emoji, which has the same height, for the latter. So bullets get Segoe UI Symbol. Its substitute lacks emoji,
// so they stay in colour; the few that it has, mostly faces, are not changed for that reason.

const onlySigns =
  /^(?:[\u2701-\u27bf\u{1f300}-\u{1f310}\u{1f319}-\u{1f42c}\u{1f436}-\u{1f5ff}\u{1f644}-\u{1faff}][\u200d\ufe0e\ufe0f]*)+$/u
const signFont = 'Segoe UI Symbol'

/** Fonts other than these may have the symbol. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

/** Families with such a variant. */
const deepFonts: ReadonlySet<string> = new Set(['Courier New', signFont])

/** The name of the variant in the fontconfig rules. */
const labelFont = (family: string): string => `${family} label`

/** Sets the fonts of labels in `word/numbering.xml`. */
export function labelFontVisitor(): XmlVisitor {
  const path: XmlElement[] = []
  let level: (Holder & { text: string; isBullet: boolean }) | undefined
  return {
    open(element) {
      if (element.name === 'w:lvl') level = { element, text: '', isBullet: false }
      if (level) readProperties(level, element, path.at(-1))
      if (level && element.name === 'w:lvlText') level.text = element.attributes['w:val'] ?? ''
      if (level && element.name === 'w:numFmt') level.isBullet = element.attributes['w:val'] === 'bullet'
      path.push(element)
    },
    close(element, end, editor) {
      path.pop()
      if (element.name !== 'w:lvl' || !level) return
      const family = level.fonts?.attributes['w:ascii'] ?? ''
      if (deepFonts.has(family)) nameFont(level, labelFont(family), end.start, editor)
      else if (level.isBullet && onlySigns.test(level.text) && mayLack(level))
        nameFont(level, labelFont(signFont), end.start, editor)
      level = undefined
    },
  }
}

const mayLack = ({ fonts }: Holder): boolean =>
  fonts === undefined || textFonts.test(fonts.attributes['w:ascii'] ?? '')

function nameFont(
  { fonts, properties, fontsAt }: Holder,
  family: string,
  contentEnd: number,
  editor: XmlEditor,
): void {
  const named = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}" w:hint="default"/>`
  if (fonts) editor.replace(fonts.start, fonts.end, named)
  else if (!properties || fontsAt === undefined)
    editor.replace(contentEnd, contentEnd, `<w:rPr>${named}</w:rPr>`)
  else editor.replace(fontsAt, fontsAt, named)
}
