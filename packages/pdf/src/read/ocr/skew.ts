import type { Grey } from './grey.ts'
import { warped } from './warp.ts'

// Deskews scans by projection profiles: along the slope of the text, pixel rows are either full of ink or empty, and
// adjacent rows differ most.

/** Resolution in dots per inch for finding the slope. */
const coarse = 50
/** In pixels down per pixel to the right. */
const steepest = 0.12
const [wideStep, fineStep] = [0.004, 0.0005]
/** Lines with a smaller slope are read as well as horizontal ones, and rotation blurs the picture. */
const minSlope = 0.003
/** Ratio of the best slope's contrast to that of horizontal lines: a smaller gain is chance. */
const minGain = 1.02
/** Threshold between ink and paper, of 255. */
const darkest = 160

export function deskewed(image: Grey): Grey {
  const slope = slopeOf(coarseInk(image))
  return Math.abs(slope) >= minSlope ? rotated(image, slope) : image
}

/**
 * Cells of the page, a few times as wide as high: within a cell, no slope rises by more than a quarter of its height.
 */
interface Ink {
  width: number
  height: number
  /** Dark pixels in each cell, column by column. */
  dark: Uint16Array
}

/** Minimum share of dark pixels in a cell outside the sheet: letters fill less of it. */
const cellFull = 0.5
/** Ratio of a cell's width to its height. */
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
  const ink = { width: columns, height: rows, dark }
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

/** 0 if no slope makes the rows differ more than horizontal ones do. */
function slopeOf(ink: Ink): number {
  const level = contrastAlong(ink, 0)
  let best = { slope: 0, contrast: level }
  const search = (from: number, to: number, step: number): void => {
    for (let i = 0; i <= Math.round((to - from) / step); i++) {
      const slope = from + i * step
      const contrast = contrastAlong(ink, slope)
      if (contrast > best.contrast) best = { slope, contrast }
    }
  }
  search(-steepest, steepest, wideStep)
  search(best.slope - wideStep, best.slope + wideStep, fineStep)
  return best.contrast >= minGain * level ? best.slope : 0
}

/** How much adjacent rows along a slope differ in ink. */
function contrastAlong({ width, height, dark }: Ink, slope: number): number {
  const rows = new Int32Array(height)
  for (let x = 0; x < width; x++) {
    const shift = Math.round(slope * cellWidth * (x + 0.5 - width / 2))
    const end = Math.min(height, height - shift)
    for (let y = Math.max(0, -shift), at = x * height + y + shift; y < end; y++, at++)
      rows[y] = (rows[y] as number) + (dark[at] as number)
  }
  return rows.reduce((sum, count, y) => sum + (y > 0 ? (count - (rows[y - 1] as number)) ** 2 : 0), 0)
}

/** Rotates about the centre by the slope of the lines. */
function rotated(image: Grey, slope: number): Grey {
  const [x, y] = [image.width / 2, image.height / 2]
  const cos = 1 / Math.hypot(1, slope)
  const sin = slope * cos
  return warped(image, [cos, -sin, x - x * cos + y * sin, sin, cos, y - y * cos - x * sin, 0, 0, 1])
}
