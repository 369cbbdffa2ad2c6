import { editXml } from '../../../package/edit-xml.ts'
import { localName } from './workbook-styles.ts'

// Excel prints the chart of a chart sheet as large as the page permits, in landscape unless the sheet says otherwise. For
// LibreOffice it is a drawing on cells in portrait. The macro finds such sheets by their code name, which is not printed.

const codeName = 'KilnChartSheet'

export const chartSheetPart = /^xl\/chartsheets\/[^/]+\.xml$/

/** `paper` is the number of the paper if the sheet has no page set-up. */
export function markChartSheet(sheet: string, paper = '1'): string {
  let hasSetup = false
  let opened = 0
  return editXml(sheet, {
    open(element, editor) {
      const name = localName(element.name)
      opened += 1
      // The properties come first in the root.
      if (opened === 2) {
        const prefix = element.name.slice(0, -name.length)
        if (name === 'sheetPr') editor.setAttributes(element, { codeName })
        else editor.replace(element.start, element.start, `<${prefix}sheetPr codeName="${codeName}"/>`)
      }
      if (name !== 'pageSetup') return
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
}
