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
  'Aptos Narrow': 0.5068,
  Aptos: 0.5342,
  Arial: 0.5562,
  Cambria: 0.5537,
  'Courier New': 0.6001,
  'Segoe UI': 0.5391,
  Tahoma: 0.5459,
  'Times New Roman': 0.5,
  Verdana: 0.6357,
}

/**
 * Height of a printed default row and of the same row on the screen, in printer pixels. Measured in prints of Excel for
 * Windows; there is no known rule for other fonts.
 */
const measuredRows: Readonly<Record<string, { printed: number; screen: number }>> = {
  'Calibri 11': { printed: 121, screen: 125 },
  'Aptos Narrow 11': { printed: 127, screen: 125 },
  'Segoe UI Semilight 10': { printed: 124, screen: 118.75 },
}

const printerDpi = 600
const screenDpi = 96
const pointsPerInch = 72
const twipsPerPoint = 20
/** Width of Excel's default columns in digits, unless the sheet has another base width. */
const defaultDigits = 8

function advanceOf({ name }: NormalFont): number | undefined {
  return Object.hasOwn(digitAdvances, name) ? digitAdvances[name] : undefined
}

/** Ratio of Excel's column widths to LibreOffice's; 1 for a font with unknown digit widths. */
export function columnFactor(font: NormalFont): number {
  const advance = advanceOf(font)
  if (advance === undefined) return 1
  const emPixels = Math.round((font.size * printerDpi) / pointsPerInch)
  const excel = (Math.round(advance * emPixels) * pointsPerInch) / printerDpi
  const libreOffice = Math.round(advance * font.size * twipsPerPoint) / twipsPerPoint
  return excel / libreOffice
}

/**
 * Width of a column without one in the workbook, in digits: its base width plus padding, rounded up to a multiple of
 * eight screen pixels.
 */
export function defaultColumnWidth(font: NormalFont, baseWidth = defaultDigits): number | undefined {
  const advance = advanceOf(font)
  if (advance === undefined) return undefined
  const digit = Math.round((advance * font.size * screenDpi) / pointsPerInch)
  const padding = 2 * Math.max(2, Math.ceil(digit / 4)) + 1
  return (Math.ceil((baseWidth * digit + padding) / 8) * 8) / digit
}

/** Ratio of the printed height of a row to its stored height. */
export function rowFactor({ name, size }: NormalFont): number {
  const key = `${name} ${size}`
  const measured = Object.hasOwn(measuredRows, key) ? measuredRows[key] : undefined
  return measured ? measured.printed / measured.screen : 1
}
