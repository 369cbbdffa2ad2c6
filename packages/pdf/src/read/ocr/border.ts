import { type Grey, white } from './grey.ts'
import { quantile, type Tiles, tilesOf } from './tiles.ts'

// The lid of a scanner or the table under a photograph: a dark area without text that reaches the edge of the picture.

/** Shares of the brightness of the paper. */
const mostOfPaper = 0.75
const flat = 0.3
const darkDot = 0.7
const lightTiles = 0.75

export function withoutBorder(image: Grey): Grey {
  const tiles = tilesOf(image)
  const border = borderTiles(tiles, quantile(tiles.paper, lightTiles))
  if (!border.includes(1)) return image
  return { ...image, pixels: whitened(image, tiles, border) }
}

/** The edge of the sheet lies within the tiles beside the border: there, what is dark and joined to it is part of it. */
function whitened(
  { width, height, pixels }: Grey,
  { side, columns, rows, paper }: Tiles,
  border: Uint8Array,
): Uint8Array {
  const out = pixels.slice()
  const open: number[] = []
  for (let tile = 0; tile < border.length; tile++) {
    if (border[tile] !== 1) continue
    const [left, top] = [(tile % columns) * side, Math.floor(tile / columns) * side]
    const [right, bottom] = [Math.min(width, left + side), Math.min(height, top + side)]
    for (let y = top; y < bottom; y++) out.fill(white, y * width + left, y * width + right)
    for (let y = top; y < bottom; y++) open.push(y * width + left, y * width + right - 1)
    for (let x = left; x < right; x++) open.push(top * width + x, (bottom - 1) * width + x)
  }
  const isBorder = (column: number, row: number): boolean =>
    column >= 0 && row >= 0 && column < columns && row < rows && border[row * columns + column] === 1
  const reach = (x: number, y: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return
    const [column, row] = [Math.floor(x / side), Math.floor(y / side)]
    const tile = row * columns + column
    const isBeside =
      isBorder(column - 1, row) ||
      isBorder(column + 1, row) ||
      isBorder(column, row - 1) ||
      isBorder(column, row + 1)
    const at = y * width + x
    if (border[tile] === 1 || !isBeside || (out[at] as number) >= darkDot * (paper[tile] as number)) return
    out[at] = white
    open.push(at)
  }
  floodFill(open, width, reach)
  return out
}

/** Dark tiles without contrast that the edge of the picture reaches. */
function borderTiles({ columns, rows, paper, ink }: Tiles, lightest: number): Uint8Array {
  const border = new Uint8Array(columns * rows)
  const isDark = (i: number): boolean =>
    (paper[i] as number) < mostOfPaper * lightest &&
    (paper[i] as number) - (ink[i] as number) < flat * lightest
  const open: number[] = []
  const reach = (x: number, y: number): void => {
    const i = y * columns + x
    if (x < 0 || y < 0 || x >= columns || y >= rows || border[i] === 1 || !isDark(i)) return
    border[i] = 1
    open.push(i)
  }
  for (let x = 0; x < columns; x++) for (const y of [0, rows - 1]) reach(x, y)
  for (let y = 0; y < rows; y++) for (const x of [0, columns - 1]) reach(x, y)
  floodFill(open, columns, reach)
  return border
}

/** From the open places to their four neighbours; `reach` adds those that it takes in to the open ones. */
function floodFill(open: number[], width: number, reach: (x: number, y: number) => void): void {
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)]
    reach(x - 1, y)
    reach(x + 1, y)
    reach(x, y - 1)
    reach(x, y + 1)
  }
}
