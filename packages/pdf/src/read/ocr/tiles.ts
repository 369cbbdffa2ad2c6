import type { Grey } from './grey.ts'

// How light the paper is in each part of a page.

export interface Tiles {
  side: number
  columns: number
  rows: number
  /** Brightness of the paper in each tile, of half of its dots, and of its darkest ink. */
  paper: Uint8Array
  middle: Uint8Array
  ink: Uint8Array
}

/** In inches: higher than a line of text, so that each tile has paper in it. */
const tileSide = 0.2
/** Of a tile's dots: lighter are as many as these, and darker as many as those. */
const lightest = 0.1
const darkest = 0.03

/** Several steps measure the same picture. */
const measured = new WeakMap<Grey, Tiles>()

export function tilesOf(image: Grey): Tiles {
  const tiles = measured.get(image) ?? measure(image)
  measured.set(image, tiles)
  return tiles
}

/** Dots from one that is counted to the next: a quarter of them shows the shares as well. */
const stride = 2

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

/** Of 255: darker is ground that light letters may stand on. */
const darkGround = 128
/** Tiles in a row: letters of a headline cover fewer. */
const minGround = 3

/** Is more than half of some wide area dark, as no letters on paper are? */
export function hasDarkGround(image: Grey): boolean {
  const { columns, middle } = tilesOf(image)
  let inRow = 0
  for (const [i, value] of middle.entries()) {
    inRow = value >= darkGround ? 0 : i % columns === 0 ? 1 : inRow + 1
    if (inRow >= minGround) return true
  }
  return false
}

/** The brightness below which `count` dots are. */
function valueAt(counts: Uint32Array, count: number): number {
  let sum = 0
  for (let value = 0; value < counts.length; value++) {
    sum += counts[value] as number
    if (sum >= count) return value
  }
  return counts.length - 1
}

/** `share` of the values are smaller. */
export function quantile(values: Uint8Array, share: number): number {
  const counts = new Uint32Array(256)
  for (const value of values) counts[value] = (counts[value] as number) + 1
  return valueAt(counts, Math.max(1, share * values.length))
}
