import type { XmlEditor, XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'
import { fontsElement, type Holder, isOnlySigns, mayLack, readProperties, signFont } from './signs.ts'

// In Word the label of a list item, a bullet or a number, adds its font's ascent to the line height, but not its
// descent. LibreOffice counts the descent too: an item with Courier New's "o" is 0.03 em taller than in Word. So fonts
// with a larger descent than most text get variants without one (fonts/substitutes.json).

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
      else if (level.isBullet && isOnlySigns(level.text) && mayLack(level))
        nameFont(level, labelFont(signFont), end.start, editor)
      level = undefined
    },
  }
}

function nameFont(
  { fonts, properties, fontsAt }: Holder,
  family: string,
  contentEnd: number,
  editor: XmlEditor,
): void {
  const named = fontsElement(family)
  if (fonts) editor.replace(fonts.start, fonts.end, named)
  else if (!properties || fontsAt === undefined)
    editor.replace(contentEnd, contentEnd, `<w:rPr>${named}</w:rPr>`)
  else editor.replace(fontsAt, fontsAt, named)
}
