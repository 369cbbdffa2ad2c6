import type { XmlEditor, XmlElement } from '../../../package/edit-xml.ts'
import { defaultColumnWidth, digitWidthOf, paddingInDigits } from './printed-units.ts'
import { localName, type WorkbookStyles } from './workbook-styles.ts'

// Excel rounds a number without a format to what fits into its column, and to eleven characters; LibreOffice shows up
// to fifteen digits, and measures the column by other digits. So the stored value is rounded to the digits that Excel
// shows. Numbers that Excel shows with an exponent stay as they are.

/** Besides a minus sign. */
const maxCharacters = 11
const smallestPlain = 1e-4
const largestPlain = 1e11
/** Of a sheet. */
const maxColumns = 16_384
/** Digits that Excel stores. */
const precision = 15

/** The text of a number in a column of a width in digits; undefined where Excel uses an exponent. */
export function generalText(value: number, digits: number): string | undefined {
  const size = Number(Math.abs(value).toPrecision(precision))
  if (size < smallestPlain || size >= largestPlain) return undefined
  // The decimal point and the sign take the room of a digit each.
  const room = Math.min(maxCharacters, Math.floor(digits) - (value < 0 ? 1 : 0))
  const whole = String(Math.trunc(size)).length
  if (room < whole) return undefined
  const rounded = Number(size.toFixed(Math.max(0, room - whole - 1)))
  return rounded === 0 ? undefined : String(value < 0 ? -rounded : rounded)
}

/** The number of a column, from the letters of a cell's reference; 0 without any. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    column = column * 26 + value
  }
  return column
}

interface Visitor {
  open(element: XmlElement): void
  close(element: XmlElement, end: { start: number }, editor: XmlEditor): void
}

/** Rounds the values in a sheet. */
export function generalNumberVisitor(sheet: string, { normalFont, generalFonts }: WorkbookStyles): Visitor {
  const merged = new Set(
    Array.from(sheet.matchAll(/<(?:\w+:)?mergeCell\s[^<>]*?ref="(\w+)/g), ([, ref]) => ref),
  )
  const widths: { first: number; last: number; width: number }[] = []
  let defaultWidth = defaultColumnWidth(normalFont)
  let cell: XmlElement | undefined
  let column = 0

  const padding = paddingInDigits(normalFont)
  const ratios = generalFonts.map((font) => font && digitWidthOf(normalFont) / digitWidthOf(font))
  const known = new Map<number, number>()
  const roomOf = (wanted: number): number => {
    const room = known.get(wanted)
    if (room !== undefined) return room
    const own = widths.find(({ first, last }) => first <= wanted && wanted <= last)?.width ?? defaultWidth
    known.set(wanted, own === undefined ? Number.POSITIVE_INFINITY : own - padding)
    return roomOf(wanted)
  }

  const digitsOf = ({ attributes }: XmlElement): number | undefined => {
    const ratio = ratios[Number(attributes.s ?? 0)]
    if (ratio === undefined) return undefined
    return merged.has(attributes.r) ? Number.POSITIVE_INFINITY : roomOf(column) * ratio
  }

  return {
    open(element) {
      const { attributes } = element
      switch (localName(element.name)) {
        case 'sheetFormatPr':
          defaultWidth =
            Number(attributes.defaultColWidth) ||
            defaultColumnWidth(normalFont, Number(attributes.baseColWidth) || undefined)
          break
        case 'col':
          if (Number(attributes.width) > 0 && widths.length < maxColumns)
            widths.push({
              first: Number(attributes.min),
              last: Number(attributes.max),
              width: Number(attributes.width),
            })
          break
        case 'row':
          column = 0
          break
        case 'c':
          column = columnOf(attributes.r ?? '') || column + 1
          cell = (attributes.t ?? 'n') === 'n' ? element : undefined
      }
    },
    close(element, end, editor) {
      if (!cell || localName(element.name) !== 'v') return
      const text = editor.source(element.end, end.start)
      // Shorter numbers fit into all but the narrowest columns.
      if (text.length < 4 || !text.includes('.')) return
      const digits = digitsOf(cell)
      const shown = digits === undefined ? undefined : generalText(Number(text), digits)
      if (shown !== undefined && shown.length < text.length) editor.replace(element.end, end.start, shown)
    },
  }
}
