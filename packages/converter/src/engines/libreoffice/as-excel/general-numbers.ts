import type { XmlEditor, XmlElement } from '../../../package/edit-xml.ts'
import { defaultColumnWidth, digitWidthOf, paddingInDigits } from './printed-units.ts'
import { localName, type WorkbookStyles } from './workbook-styles.ts'

// Excel rounds a number without a format to what fits into its column, and to eleven characters; where that leaves no room
// for its digits, it is shown with an exponent. LibreOffice shows up to fifteen digits, and measures the column by other
// digits. So the stored value is rounded to the digits that Excel shows, or the cell gets a format with that exponent.

/** Besides a minus sign. */
const maxCharacters = 11
const smallestPlain = 1e-4
const largestPlain = 1e11
/** Of a sheet. */
const maxColumns = 16_384
/** Digits that Excel stores. */
const precision = 15
const minLength = 4

/** Excel stores the width of a column in whole 256ths of a digit, truncated. */
const widthStep = 1 / 256
/** Of the number before the exponent. */
const maxDecimals = 5

/** What Excel shows: a plain number, or one with an exponent and so many decimals. */
export type GeneralText = { plain: string } | { decimals: number }

/** `digits` is the width of the column; undefined where LibreOffice shows the same, or nothing fits. */
export function generalText(value: number, digits: number): GeneralText | undefined {
  const size = Number(Math.abs(value).toPrecision(precision))
  // The decimal point and the sign take the room of a digit each.
  const room = Math.min(maxCharacters, Math.floor(digits + widthStep) - (value < 0 ? 1 : 0))
  if (size < largestPlain && String(Math.trunc(size)).length <= room) {
    const decimals = Math.max(0, room - String(Math.trunc(size)).length - 1)
    const rounded = Number(size.toFixed(decimals))
    if (size < smallestPlain ? rounded === size : rounded === 0) return undefined
    if (size >= smallestPlain && String(Math.trunc(rounded)).length <= room && rounded < largestPlain)
      return { plain: String(value < 0 ? -rounded : rounded) }
  }
  return withExponent(size, room)
}

function withExponent(size: number, room: number): GeneralText | undefined {
  const exponent = Math.abs(Math.floor(Math.log10(size)))
  const besides = 'E+'.length + Math.max(2, String(exponent).length) + 1
  if (!(size > 0) || room < besides) return undefined
  const [mantissa = ''] = size
    .toExponential(Math.max(0, Math.min(maxDecimals, room - besides - 1)))
    .split('e')
  return { decimals: String(Number(mantissa)).slice('1.'.length).length }
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

/** The index of a cell format that differs from another in its number format. */
export type WithNumberFormat = (format: number, code: string) => number

/** Rounds the values in a sheet. */
export function generalNumberVisitor(
  sheet: string,
  { normalFont, generalFonts }: WorkbookStyles,
  withNumberFormat: WithNumberFormat,
): Visitor {
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
      if (text.length < minLength) return
      const digits = digitsOf(cell)
      if (digits === undefined || (text.length <= Math.min(maxCharacters, digits) && !/e/i.test(text))) return
      const shown = generalText(Number(text), digits)
      if (!shown) return
      if ('plain' in shown) {
        if (shown.plain.length < text.length) editor.replace(element.end, end.start, shown.plain)
        return
      }
      const code = shown.decimals === 0 ? '0E+00' : `0.${'0'.repeat(shown.decimals)}E+00`
      editor.setAttributes(cell, { s: String(withNumberFormat(Number(cell.attributes.s ?? 0), code)) })
    },
  }
}
