import { editXml } from '../../../package/edit-xml.ts'
import { localName } from './workbook-styles.ts'

// Marks sheets for the macro by their code name, which is not printed:
//
//   headings      LibreOffice scales them with their sheet, as Excel does unless the sheet says otherwise. The macro gives
//                 them their size back.
//   chart sheets  Excel prints the chart as large as the page permits, in landscape unless the sheet says otherwise. For
//                 LibreOffice it is a drawing on cells in portrait.

const unscaled = /<(?:\w+:)?headerFooter\s[^<>]*\bscaleWithDoc="(?:0|false)"/

export const chartSheetPart = /^xl\/chartsheets\/[^/]+\.xml$/

export const markUnscaledHeadings = (sheet: string): string =>
  sheet.includes('scaleWithDoc=') && unscaled.test(sheet) ? mark(sheet, 'KilnUnscaledHeadings') : sheet

/** `paper` is the number of the paper if the sheet has no page set-up. */
export function markChartSheet(sheet: string, paper = '1'): string {
  let hasSetup = false
  const landscape = editXml(sheet, {
    open(element, editor) {
      if (localName(element.name) !== 'pageSetup') return
      hasSetup = true
      if ((element.attributes.orientation ?? 'default') === 'default')
        editor.setAttributes(element, { orientation: 'landscape' })
    },
    close(element, end, editor) {
      const name = localName(element.name)
      if (name !== 'chartsheet' || hasSetup) return
      const prefix = element.name.slice(0, -name.length)
      editor.replace(
        end.start,
        end.start,
        `<${prefix}pageSetup paperSize="${paper}" orientation="landscape"/>`,
      )
    },
  })
  return mark(landscape, 'KilnChartSheet')
}

function mark(sheet: string, codeName: string): string {
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
