import { tailOfLetters, usualAscent } from '../typography.ts'
import type { Font } from './page.ts'

/** The font of text without a PDF font: words from OCR, values of fields, empty lines. */
export const plainFont = (name: 'Times New Roman' | 'Helvetica'): Font => ({
  name,
  bold: false,
  italic: false,
  serif: name === 'Times New Roman',
  mono: false,
  ascent: usualAscent,
  descent: tailOfLetters,
})
