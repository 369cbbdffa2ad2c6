import type { Grey } from './grey.ts'
import { warped } from './warp.ts'

// Deskews scans; in photographs, lines have different slopes at the top and the bottom. If lines of text are
// horizontal, pixel rows are either full of ink or empty: the slope at which adjacent rows differ most is that of the
// text.

/** Resolution in dots per inch for finding the slope. */
const coarse = 50
/** In pixels down per pixel to the right. */
const steepest = 0.12
const [wideStep, fineStep] = [0.004, 0.0005]
/** Lines with a smaller slope are read as well as horizontal ones, and rotation blurs the picture. */
const minSlope = 0.003
/** Slopes of the upper and the lower half that differ by less are treated as one. */
const minDifference = 0.006
/** Minimum share of the ink: a half with less is blank, and its slope that of specks and edges. */
const minInHalf = 0.2
/** Ratio of the best slope's contrast to that of horizontal lines: a smaller gain is chance. */
const minGain = 1.02
/** Threshold between ink and paper, of 255. */
const darkest = 160

export function straightened(image: Grey): Grey {
  const ink = coarseInk(image)
  const half = Math.floor(ink.height / 2)
  const wide = slopesToLookAt(-steepest, steepest, wideStep).map((slope) =>
    rowsAlong(ink, slope, 0, ink.height),
  )
  const [whole, upper, lower] = [
    slopeIn(ink, wide, 0, ink.height),
    slopeIn(ink, wide, 0, half),
    slopeIn(ink, wide, half, ink.height),
  ]
  const inUpper = shareOfInk(ink, half)
  const isKeystone =
    upper !== undefined &&
    lower !== undefined &&
    Math.min(inUpper, 1 - inUpper) >= minInHalf &&
    Math.abs(upper - lower) >= minDifference
  if (isKeystone) return turned(image, (upper + lower) / 2, 2 * (lower - upper))
  const slope = whole ?? 0
  return Math.abs(slope) >= minSlope ? turned(image, slope) : image
}

/**
 * Cells of the page, a few times as wide as high: within a cell, no slope rises by more than a quarter of its height.
 */
interface Ink {
  width: number
  height: number
  /** Ratio of a cell's width to its height. */
  wide: number
  /** Dark pixels in each cell, column by column. */
  dark: Uint16Array
}

/** Minimum share of dark pixels in a cell outside the sheet: letters fill less of it. */
const cellFull = 0.5
const cellWidth = Math.floor(0.25 / steepest)

function coarseInk({ width, height, pixels, dotsPerInch }: Grey): Ink {
  const side = Math.max(1, Math.round(dotsPerInch / coarse))
  const columns = Math.max(1, Math.floor(width / side / cellWidth))
  const rows = Math.floor(height / side)
  const dark = new Uint16Array(columns * rows)
  for (let y = 0; y < rows * side; y++) {
    const row = Math.floor(y / side)
    for (let column = 0, at = y * width; column < columns; column++) {
      let count = 0
      for (const end = at + side * cellWidth; at < end; at++) if ((pixels[at] as number) < darkest) count++
      const cell = column * rows + row
      dark[cell] = (dark[cell] as number) + count
    }
  }
  const ink = { width: columns, height: rows, wide: cellWidth, dark }
  clearBorder(ink, cellFull * cellWidth * side ** 2)
  return ink
}

/** Clears what is dark from an edge of the picture inwards: its edge runs along the picture, not along the text. */
function clearBorder({ width, height, dark }: Ink, full: number): void {
  const clear = (start: number, step: number, count: number): void => {
    let at = start
    for (const end = start + count * step; at !== end && (dark[at] as number) >= full; at += step)
      dark[at] = 0
    // The last cell is only partly outside the sheet.
    if (at !== start && at !== start + count * step) dark[at] = 0
  }
  for (let x = 0; x < width; x++) {
    clear(x * height, 1, height)
    clear((x + 1) * height - 1, -1, height)
  }
  for (let y = 0; y < height; y++) {
    clear(y, height, width)
    clear((width - 1) * height + y, -height, width)
  }
}

/** Share of the ink above a row. */
function shareOfInk({ height, dark }: Ink, row: number): number {
  let [above, all] = [0, 0]
  for (let i = 0; i < dark.length; i++) {
    all += dark[i] as number
    if (i % height < row) above += dark[i] as number
  }
  return above / Math.max(1, all)
}

interface Rows {
  slope: number
  /** Ink of each row along the slope. */
  sums: Int32Array
}

const slopesToLookAt = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step)

function rowsAlong({ width, height, wide, dark }: Ink, slope: number, top: number, bottom: number): Rows {
  const sums = new Int32Array(height)
  for (let x = 0; x < width; x++) {
    const shift = Math.round(slope * wide * (x + 0.5 - width / 2))
    const end = Math.min(bottom, height - shift)
    for (let y = Math.max(top, -shift), at = x * height + y + shift; y < end; y++, at++)
      sums[y] = (sums[y] as number) + (dark[at] as number)
  }
  return { slope, sums }
}

/** Undefined if nothing on these rows shows a slope. */
function slopeIn(ink: Ink, wide: readonly Rows[], top: number, bottom: number): number | undefined {
  const level = contrastOf(rowsAlong(ink, 0, top, bottom), top, bottom)
  let best = { slope: 0, contrast: level }
  const look = (rows: Rows): void => {
    const contrast = contrastOf(rows, top, bottom)
    if (contrast > best.contrast) best = { slope: rows.slope, contrast }
  }
  for (const rows of wide) look(rows)
  for (const slope of slopesToLookAt(best.slope - wideStep, best.slope + wideStep, fineStep))
    look(rowsAlong(ink, slope, top, bottom))
  if (level === 0 && best.contrast === 0) return undefined
  return best.contrast >= minGain * level ? best.slope : 0
}

/** How much adjacent rows differ. */
function contrastOf({ sums }: Rows, top: number, bottom: number): number {
  let contrast = 0
  for (let y = top + 1; y < bottom; y++) contrast += ((sums[y] as number) - (sums[y - 1] as number)) ** 2
  return contrast
}

/**
 * Rotates about the centre by the slope of the lines there. If the slope changes by `change` from the top to the bottom,
 * the lines meet at a vanishing point, and the picture is a photograph in perspective.
 */
function turned(image: Grey, slope: number, change = 0): Grey {
  const [x, y] = [image.width / 2, image.height / 2]
  const cos = 1 / Math.hypot(1, slope)
  const sin = slope * cos
  const g = -change / image.height
  const divisor = 1 - g * x
  const [u, v] = [x * (divisor - cos) + y * sin, y * (divisor - cos) - x * sin]
  return warped(image, [cos + x * g, -sin, u, sin + y * g, cos, v, g, 0, divisor])
}
