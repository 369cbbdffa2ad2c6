import { editXml, type XmlEditor, type XmlElement } from '../../../package/edit-xml.ts'
import { columnFactor, defaultColumnWidth, rowFactor } from './printed-units.ts'
import { localName, type WorkbookStyles } from './workbook-styles.ts'

// Gives a sheet the widths and heights that Excel prints, in the units that LibreOffice reads:
//
//   columns   by the ratio of both programs' units; default columns get a width of their own
//   rows      keep their stored heights, which LibreOffice would compute again unless a person has set them
//   margins   those of Excel where the sheet names none
//
// The protection of a sheet is removed: LibreOffice lets no style of a workbook be changed while one of its sheets is
// protected, and what is printed does not depend on it.

/** Inches, as Excel writes them for a new sheet. */
const defaultMargins = 'left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"'
export const maxRowHeight = 409.5

export function setPrintLayout(sheet: string, { normalFont, raisesRow }: WorkbookStyles): string {
  const factor = { column: columnFactor(normalFont), row: rowFactor(normalFont) }
  let row: XmlElement | undefined
  let isRaised = false
  let defaultHeight: number | undefined
  let hasMargins = false

  const open = (element: XmlElement, editor: XmlEditor) => {
    const { attributes } = element
    switch (localName(element.name)) {
      case 'sheetFormatPr': {
        defaultHeight = scaled(attributes.defaultRowHeight, factor.row)
        const width =
          attributes.defaultColWidth ?? String(defaultColumnWidth(normalFont, baseWidthOf(attributes)) ?? '')
        editor.setAttributes(element, {
          ...(defaultHeight ? { defaultRowHeight: String(defaultHeight), customHeight: '1' } : {}),
          ...(Number(width) > 0 ? { defaultColWidth: String(scaled(width, factor.column)) } : {}),
        })
        break
      }
      case 'col': {
        const width = scaled(attributes.width, factor.column)
        if (width !== undefined && factor.column !== 1)
          editor.setAttributes(element, { width: String(width) })
        break
      }
      case 'row':
        row = element
        isRaised = false
        break
      case 'c':
        isRaised ||= raisesRow[Number(attributes.s ?? 0)] ?? false
        break
      case 'pageMargins':
        hasMargins = true
    }
  }

  const heightOf = ({ attributes }: XmlElement): number | undefined =>
    attributes.ht === undefined ? (isRaised ? undefined : defaultHeight) : scaled(attributes.ht, factor.row)
  const roundHeight = createHeightRounding()

  return editXml(sheet, {
    open,
    close(element, end, editor) {
      const name = localName(element.name)
      if (name === 'row' && row) {
        const height = heightOf(row)
        if (height !== undefined)
          editor.setAttributes(row, {
            ht: String(roundHeight(Math.min(height, maxRowHeight))),
            customHeight: '1',
          })
        row = undefined
      } else if (name === 'sheetProtection') {
        editor.replace(element.start, end.end, '')
      } else if (name === 'worksheet' && !hasMargins) {
        const prefix = element.name.slice(0, -name.length)
        editor.replace(end.start, end.start, `<${prefix}pageMargins ${defaultMargins}/>`)
      }
    },
  })
}

/**
 * LibreOffice keeps heights in whole twips and prints them in hundredths of a millimetre, cut off. What one row loses
 * the next one gets, so that the error does not add up over a page.
 */
export function createHeightRounding(): (points: number) => number {
  let missing = 0
  return (points) => {
    const twips = Math.max(0, Math.round((points + missing) * 20))
    missing += points - Math.floor((twips * 127) / 72) / (2540 / 72)
    return twips / 20
  }
}

/** In digits; undefined where the sheet has none of its own. */
const baseWidthOf = ({ baseColWidth }: XmlElement['attributes']): number | undefined =>
  Number(baseColWidth) > 0 ? Number(baseColWidth) : undefined

/** Undefined for a value that is missing or not positive. */
function scaled(value: string | undefined, factor: number): number | undefined {
  const scaledValue = Number(value) * factor
  return scaledValue > 0 ? Number(scaledValue.toFixed(4)) : undefined
}
