// Excel for Windows lays out a printed sheet in printer pixels, 600 per inch. Column widths are multiples of the widest
// digit of the Normal font, as GDI rounds it at that resolution: first the em, then the advance width. Row heights
// follow the ratio of the font's line height on the printer to that on the screen.

export interface NormalFont {
  name: string
  /** In points. */
  size: number
}

/** Advance width of the widest digit, in ems. */
const digitAdvances: Readonly<Record<string, number>> = {
  Calibri: 0.5068,
  'Calibri Light': 0.5068,
  'Aptos Narrow': 0.5068,
  Aptos: 0.534,
  Arial: 0.5562,
  'Arial Black': 0.667,
  'Arial Narrow': 0.4561,
  'Book Antiqua': 0.5,
  'Bookman Old Style': 0.62,
  Cambria: 0.5537,
  'Century Gothic': 0.554,
  'Comic Sans MS': 0.61,
  Consolas: 0.5498,
  'Courier New': 0.6001,
  Garamond: 0.469,
  Georgia: 0.613,
  'Gill Sans MT': 0.5,
  'Lucida Console': 0.6025,
  'Malgun Gothic': 0.5508,
  '맑은 고딕': 0.5508,
  'Palatino Linotype': 0.5,
  'Segoe UI': 0.5391,
  'Segoe UI Light': 0.5151,
  'Segoe UI Semibold': 0.5552,
  'Segoe UI Semilight': 0.5488,
  Tahoma: 0.5459,
  'Times New Roman': 0.5,
  'Trebuchet MS': 0.5239,
  Verdana: 0.6357,
}

/** East Asian fonts whose digits are half an em wide; those of some substitutes are wider. */
const halfWidthFonts: readonly { names: readonly string[]; substitute: number }[] = [
  { names: ['MS Gothic', 'ＭＳ ゴシック', 'SimHei', '黑体'], substitute: 0.5 },
  { names: ['MS PGothic', 'ＭＳ Ｐゴシック', 'MS UI Gothic'], substitute: 0.555 },
  {
    names: ['MS Mincho', 'ＭＳ 明朝', 'MS PMincho', 'ＭＳ Ｐ明朝', 'SimSun', '宋体', 'NSimSun', '新宋体'],
    substitute: 0.562,
  },
]

/** The widest digit of the Normal font: its advance width in ems, and the size of the font in points. */
export interface ColumnDigit {
  advance: number
  size: number
}

interface Digit {
  advance: number
  /** In the font that LibreOffice uses. */
  substitute: number
  isHalfWidth: boolean
}

/**
 * Height of a printed default row and of the same row on the screen, in printer pixels. Measured in prints of Excel for
 * Windows; there is no known rule for other fonts.
 */
const measuredRows: Readonly<Record<string, { printed: number; screen: number }>> = {
  'Calibri 11': { printed: 121, screen: 125 },
  'Aptos Narrow 11': { printed: 127, screen: 125 },
  // The weights of Segoe UI share their vertical metrics.
  'Segoe UI 10': { printed: 124, screen: 118.75 },
  'Segoe UI Light 10': { printed: 124, screen: 118.75 },
  'Segoe UI Semibold 10': { printed: 124, screen: 118.75 },
  'Segoe UI Semilight 10': { printed: 124, screen: 118.75 },
}

const printerDpi = 600
const screenDpi = 96
const pointsPerInch = 72
const twipsPerPoint = 20
/** Height of a default row on a scaled display to that on one at 100 %. */
const screenRatios = { min: 0.94, max: 1.02 }
/** Width of Excel's default columns in digits, unless the sheet has another base width. */
const defaultDigits = 8

function digitOf({ name }: NormalFont): Digit | undefined {
  const halfWidth = halfWidthFonts.find(({ names }) => names.includes(name))
  if (halfWidth) return { advance: 0.5, substitute: halfWidth.substitute, isHalfWidth: true }
  const advance = Object.hasOwn(digitAdvances, name) ? digitAdvances[name] : undefined
  return advance === undefined ? undefined : { advance, substitute: advance, isHalfWidth: false }
}

/** Undefined for a font with unknown digit widths. */
export function columnDigit(font: NormalFont): ColumnDigit | undefined {
  const digit = digitOf(font)
  return digit && { advance: digit.advance, size: font.size }
}

/** Ratio of Excel's column widths to LibreOffice's; 1 for a font with unknown digit widths. */
export function columnFactor(font: NormalFont): number {
  const digit = digitOf(font)
  if (!digit) return 1
  const libreOffice = Math.round(digit.substitute * font.size * twipsPerPoint) / twipsPerPoint
  return printedUnit(font, digit) / libreOffice
}

function printedUnit({ size }: NormalFont, { advance }: Digit): number {
  const emPixels = Math.round((size * printerDpi) / pointsPerInch)
  return (Math.round(advance * emPixels) * pointsPerInch) / printerDpi
}

/** Ratios of the printed sizes of cells to those on the screen of the author; 1 for a font with unknown sizes. */
export function screenFactors(font: NormalFont, ownDefault?: number): { column: number; row: number } {
  const digit = digitOf(font)
  const dpi = displayDpi(font, ownDefault)
  const unit = digit && (screenPixels(font, digit, dpi) * pointsPerInch) / dpi
  return { column: unit ? printedUnit(font, digit) / unit : 1, row: rowFactor(font, ownDefault) }
}

/** The height of a default row is a whole number of pixels of the display. */
function displayDpi(font: NormalFont, ownDefault: number | undefined): number {
  const height = defaultRowHeight(font)
  if (!ownDefault || !height || ownDefault === height) return screenDpi
  const scaled = [1.25, 1.5, 1.75, 2].map((scale) => scale * screenDpi)
  return (
    scaled.find((dpi) => Math.abs((((ownDefault * dpi) / pointsPerInch + 0.5) % 1) - 0.5) < 0.01) ?? screenDpi
  )
}

/**
 * Width of a column without one in the workbook, in digits: its base width plus padding, rounded up to a multiple of
 * eight screen pixels. The hinting of a font rounds its advance width, half-width fonts have bitmaps for whole pixels.
 */
export function defaultColumnWidth(font: NormalFont, baseWidth = defaultDigits): number | undefined {
  const digit = digitOf(font)
  if (!digit) return undefined
  const pixels = screenPixels(font, digit)
  return (Math.ceil((baseWidth * pixels + paddingOf(pixels)) / 8) * 8) / pixels
}

function screenPixels(
  { size }: NormalFont,
  digit: Pick<Digit, 'advance' | 'isHalfWidth'>,
  dpi = screenDpi,
): number {
  const em = (size * dpi) / pointsPerInch
  return Math.round(digit.advance * (digit.isHalfWidth ? Math.round(em) : em))
}

const paddingOf = (digitPixels: number): number => 2 * Math.max(2, Math.ceil(digitPixels / 4)) + 1

/** Width of a digit in points; that of Calibri if it is not known. */
export const digitWidthOf = (font: NormalFont): number =>
  (digitOf(font)?.advance ?? digitAdvances.Calibri ?? 0.5) * font.size

/** What a column is wider than its text, in digits of the Normal font. */
export function paddingInDigits(font: NormalFont): number {
  const pixels = screenPixels(font, digitOf(font) ?? { advance: 0.5, isHalfWidth: false })
  return paddingOf(pixels) / pixels
}

const measuredRow = ({ name, size }: NormalFont): { printed: number; screen: number } | undefined => {
  const key = `${name} ${size}`
  return Object.hasOwn(measuredRows, key) ? measuredRows[key] : undefined
}

/**
 * Ratio of the printed height of a row to its stored height. Excel stores the height that a default row has on the screen
 * of the author, which depends on the scale of the display: 15, 14.4, 14.5 or 14.25 points for Calibri 11. Printed, it is
 * the same. `ownDefault` is the sheet's, unless its user has set it.
 */
export function rowFactor(font: NormalFont, ownDefault?: number): number {
  const row = measuredRow(font)
  const height = defaultRowHeight(font)
  if (!row || !height) return 1
  const onScreen = (ownDefault ?? height) / height
  const isExcels = onScreen >= screenRatios.min && onScreen <= screenRatios.max
  return row.printed / row.screen / (isExcels ? onScreen : 1)
}

/** Height of a row without one in the workbook, in points. */
export function defaultRowHeight(font: NormalFont): number | undefined {
  const row = measuredRow(font)
  return row && (row.screen * pointsPerInch) / printerDpi
}
