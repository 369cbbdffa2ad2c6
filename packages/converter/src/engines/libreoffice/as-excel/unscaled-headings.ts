import { editXml } from '../../../package/edit-xml.ts'
import { localName } from './workbook-styles.ts'

// LibreOffice scales headings with their sheet, as Excel does unless the sheet says otherwise. The macro gives them their
// size back in sheets with this code name, which is not printed.

const codeName = 'KilnUnscaledHeadings'
const unscaled = /<(?:\w+:)?headerFooter\s[^<>]*\bscaleWithDoc="(?:0|false)"/

export function markUnscaledHeadings(sheet: string): string {
  if (!sheet.includes('scaleWithDoc=') || !unscaled.test(sheet)) return sheet
  let opened = 0
  return editXml(sheet, {
    open(element, editor) {
      opened += 1
      // The properties come first in the root.
      if (opened !== 2) return
      const name = localName(element.name)
      const prefix = element.name.slice(0, -name.length)
      if (name === 'sheetPr') editor.setAttributes(element, { codeName })
      else editor.replace(element.start, element.start, `<${prefix}sheetPr codeName="${codeName}"/>`)
    },
  })
}
