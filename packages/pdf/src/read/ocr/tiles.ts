import type { Grey } from './grey.ts'

// Brightness of the paper in each part of a page.

export interface Tiles {
  side: number
  columns: number
  rows: number
  /** Per tile: the brightness of the paper, the median, and the darkest ink. */
  paper: Uint8Array
  middle: Uint8Array
  ink: Uint8Array
}

/** In inches: higher than a line of text, so that each tile contains paper. */
const tileSide = 0.2
/** Quantiles of a tile's pixels: this share is lighter than the paper, and this share is darker than the ink. */
const lightest = 0.1
const darkest = 0.03

/** Cached, because several steps measure the same picture. */
const measured = new WeakMap<Grey, Tiles>()

export function tilesOf(image: Grey): Tiles {
  const tiles = measured.get(image) ?? measure(image)
  measured.set(image, tiles)
  return tiles
}

/** Step between sampled pixels: a sixteenth of the pixels is sufficient for the quantiles. */
const stride = 4

function measure({ width, height, pixels, dotsPerInch }: Grey): Tiles {
  const side = Math.max(8, Math.round(tileSide * dotsPerInch))
  const columns = Math.ceil(width / side)
  const rows = Math.ceil(height / side)
  const paper = new Uint8Array(columns * rows)
  const middle = new Uint8Array(columns * rows)
  const ink = new Uint8Array(columns * rows)
  const counts = new Uint32Array(256)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      counts.fill(0)
      const [x1, y1] = [Math.min(width, (column + 1) * side), Math.min(height, (row + 1) * side)]
      let dots = 0
      for (let y = row * side; y < y1; y += stride)
        for (let at = y * width + column * side; at < y * width + x1; at += stride, dots++)
          counts[pixels[at] as number] = (counts[pixels[at] as number] as number) + 1
      const tile = row * columns + column
      paper[tile] = valueAt(counts, dots * (1 - lightest))
      middle[tile] = valueAt(counts, dots / 2)
      ink[tile] = valueAt(counts, dots * darkest)
    }
  return { side, columns, rows, paper, middle, ink }
}

/** Brightness (0 to 255): darker tiles are a background that may have light letters. */
const darkGround = 128
/** Minimum number of adjacent tiles: letters of a headline cover fewer. */
const minGround = 3

/** Whether more than half of some wide area is dark, unlike letters on paper. */
export function hasDarkGround(image: Grey): boolean {
  const { columns, middle } = tilesOf(image)
  let inRow = 0
  for (const [i, value] of middle.entries()) {
    inRow = value >= darkGround ? 0 : i % columns === 0 ? 1 : inRow + 1
    if (inRow >= minGround) return true
  }
  return false
}

/** The brightness below which there are `count` pixels. */
function valueAt(counts: Uint32Array, count: number): number {
  let sum = 0
  for (let value = 0; value < counts.length; value++) {
    sum += counts[value] as number
    if (sum >= count) return value
  }
  return counts.length - 1
}

/** The value that `share` of the values are below. */
export function quantile(values: Uint8Array, share: number): number {
  const counts = new Uint32Array(256)
  for (const value of values) counts[value] = (counts[value] as number) + 1
  return valueAt(counts, Math.max(1, share * values.length))
}
