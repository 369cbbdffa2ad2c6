import { editXml, type XmlEditor, type XmlElement } from '../../../package/edit-xml.ts'
import { generalNumberVisitor, type WithNumberFormat } from './general-numbers.ts'
import { columnFactor, defaultColumnWidth, defaultRowHeight, rowFactor } from './printed-units.ts'
import { isTrue, localName, type WorkbookStyles } from './workbook-styles.ts'

// Sets the widths and heights that Excel prints, in the units that LibreOffice reads:
//
//   columns   by the ratio of both programs' units; default columns get an explicit width
//   rows      keep their stored heights, which LibreOffice would recompute unless they are marked as set by the user
//   margins   Excel's defaults if the sheet has none
//   paper     of a sheet without a page set-up, which is that of the author's printer: as on the other sheets
//   headings  without the name and the folder of the file, which are not known: LibreOffice would print its own
//
// Sheet protection is removed: LibreOffice does not permit changes of a workbook's styles while a sheet is protected,
// and it does not affect the print.

/** Excel's defaults for a new sheet, in inches. */
const defaultMargins = 'left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"'
export const maxRowHeight = 409.5

export function setPrintLayout(
  sheet: string,
  styles: WorkbookStyles,
  paper?: string,
  withNumberFormat: WithNumberFormat = (format) => format,
  heightStep?: number,
): string {
  const { normalFont, raisesRow } = styles
  const factor = { column: columnFactor(normalFont), row: rowFactor(normalFont) }
  let row: XmlElement | undefined
  let isRaised = false
  let defaultHeight: number | undefined
  const seen = new Set<string>()

  /** Attributes of `sheetFormatPr`, which a sheet may lack. */
  const defaultsOf = (own: XmlElement['attributes']): Record<string, string> => {
    if (!isTrue(own.customHeight)) factor.row = rowFactor(normalFont, Number(own.defaultRowHeight))
    defaultHeight = scaled(own.defaultRowHeight, factor.row)
    const width = own.defaultColWidth ?? String(defaultColumnWidth(normalFont, baseWidthOf(own)) ?? '')
    return {
      ...(defaultHeight ? { defaultRowHeight: String(defaultHeight), customHeight: '1' } : {}),
      ...(Number(width) > 0 ? { defaultColWidth: String(scaled(width, factor.column)) } : {}),
    }
  }

  const open = (element: XmlElement, editor: XmlEditor) => {
    const { attributes } = element
    const name = localName(element.name)
    switch (name) {
      case 'sheetFormatPr':
        editor.setAttributes(element, defaultsOf(attributes))
        break
      case 'cols':
      case 'sheetData':
        if (!seen.has('sheetFormatPr')) {
          const prefix = element.name.slice(0, -name.length)
          const height = String(defaultRowHeight(normalFont) ?? '')
          const defaults = Object.entries(defaultsOf({ defaultRowHeight: height }))
          const written = defaults.map(([key, value]) => ` ${key}="${value}"`).join('')
          editor.replace(element.start, element.start, `<${prefix}sheetFormatPr${written}/>`)
        }
        seen.add('sheetFormatPr')
        break
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
    }
    seen.add(name)
  }

  const heightOf = ({ attributes }: XmlElement): number | undefined =>
    attributes.ht === undefined ? (isRaised ? undefined : defaultHeight) : scaled(attributes.ht, factor.row)
  const roundHeight = createHeightRounding(heightStep)

  return editXml(sheet, generalNumberVisitor(sheet, styles, withNumberFormat), {
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
      } else if (/^(?:odd|even|first)(?:Header|Footer)$/.test(name)) {
        const codes = editor.source(element.end, end.start)
        // The first alternative is a written ampersand.
        editor.replace(element.end, end.start, codes.replaceAll(/(&amp;&amp;)|&amp;[FZ]/g, '$1'))
      } else if (name === 'worksheet') {
        const prefix = element.name.slice(0, -name.length)
        const margins = seen.has('pageMargins') ? '' : `<${prefix}pageMargins ${defaultMargins}/>`
        const setup = seen.has('pageSetup') || !paper ? '' : `<${prefix}pageSetup paperSize="${paper}"/>`
        if (margins + setup) editor.replace(end.start, end.start, margins + setup)
      }
    },
  })
}

/** The number of the paper that all sheets with a page set-up have; Letter is not written. */
export function commonPaper(sheets: readonly string[]): string | undefined {
  const papers = sheets.flatMap((sheet) =>
    Array.from(
      sheet.matchAll(/<(?:\w+:)?pageSetup(?=[\s/>])([^<>]*)/g),
      ([, attributes = '']) => /\spaperSize="(\d{1,4})"/.exec(attributes)?.[1] ?? '1',
    ),
  )
  return new Set(papers).size === 1 ? papers[0] : undefined
}

/**
 * LibreOffice stores heights in whole twips and truncates them to hundredths of a millimetre for printing. The
 * remainder of a row is carried over to the next, so that the error does not accumulate over a page. So is that of
 * heights in larger steps, in points.
 */
export function createHeightRounding(step = 1 / 20): (points: number) => number {
  let missing = 0
  return (points) => {
    const twips = Math.max(0, Math.round(Math.round((points + missing) / step) * step * 20))
    missing += points - Math.floor((twips * 127) / 72) / (2540 / 72)
    return twips / 20
  }
}

/** In digits; undefined if the sheet has none. */
const baseWidthOf = ({ baseColWidth }: XmlElement['attributes']): number | undefined =>
  Number(baseColWidth) > 0 ? Number(baseColWidth) : undefined

/** Undefined for a value that is missing or not positive. */
function scaled(value: string | undefined, factor: number): number | undefined {
  const scaledValue = Number(value) * factor
  return scaledValue > 0 ? Number(scaledValue.toFixed(4)) : undefined
}
