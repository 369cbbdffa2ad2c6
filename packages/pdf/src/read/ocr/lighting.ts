import { type Grey, white } from './grey.ts'
import { quantile, type Tiles, tilesOf } from './tiles.ts'

// Corrects uneven lighting and pale ink by comparing each pixel with the paper around it.

/** Paper whose brightness differs by less than this share is evenly lit. */
const even = 0.06
/** Ink and paper that differ by more, of 255, have the contrast of print. */
const clear = 170
/** Quantiles of the tiles: pictures and dark bars are fewer. */
const [darkTiles, lightTiles] = [0.05, 0.9]
/** A tile contains ink if it differs from its paper by this share; noise and show-through differ less. */
const minContrast = 0.25
/** Quantile of the tiles with ink: letters that fill their tile show how dark the ink is. */
const ofInk = 0.25
/** Tiles darker than this share of the lightest paper are pictures or bars, regardless of the lighting. */
const darkestPaper = 0.25
/** Passes of the filter that removes tiles of pictures and bars from the map of the paper. */
const passes = 2

export function evenLight(image: Grey): Grey {
  const tiles = tilesOf(image)
  const lightest = Math.max(1, quantile(tiles.paper, lightTiles))
  const isUneven = quantile(tiles.paper, darkTiles) < (1 - even) * lightest
  const paper = paperMap(tiles, darkestPaper * lightest)
  const ink = inkOf(tiles, paper)
  if (ink === undefined || (!isUneven && white - ink >= clear)) return image
  return { ...image, pixels: againstPaper(image, tiles, paper, ink) }
}

/** Brightness of ink on white paper; undefined on a page without ink. */
function inkOf(tiles: Tiles, paper: Float32Array): number | undefined {
  const shares = tiles.ink.map((value, i) => Math.min(white, (white * value) / (paper[i] as number)))
  const inked = shares.filter((share) => share < (1 - minContrast) * white)
  return inked.length === 0 ? undefined : quantile(inked, ofInk)
}

/** A dark tile among lighter ones is a picture; the paper under it is as light as around it. */
function paperMap({ columns, rows, paper }: Tiles, minPaper: number): Float32Array {
  let map = Float32Array.from(paper, (value) => Math.max(minPaper, value))
  for (let pass = 0; pass < passes; pass++)
    map = map.map((_own, i) => {
      const [x, y] = [i % columns, Math.floor(i / columns)]
      const around: number[] = []
      for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column++)
          around.push(map[row * columns + column] as number)
      around.sort((a, b) => a - b)
      return around[Math.floor(around.length / 2)] as number
    })
  return map
}

/** Interpolates between the centres of the tiles. */
function againstPaper(
  { width, height, pixels }: Grey,
  { side, columns, rows }: Tiles,
  paper: Float32Array,
  ink: number,
): Uint8Array {
  const out = new Uint8ClampedArray(width * height)
  const stretch = white / Math.max(1, white - ink)
  const gains = new Float64Array(columns)
  const gainAt = (column: number): number => gains[Math.min(columns - 1, Math.max(0, column))] as number
  for (let y = 0, at = 0; y < height; y++) {
    const v = Math.min(rows - 1, Math.max(0, (y + 0.5) / side - 0.5))
    const [top, down] = [Math.floor(v), v - Math.floor(v)]
    const [above, below] = [top * columns, Math.min(rows - 1, top + 1) * columns]
    for (let x = 0; x < columns; x++) {
      const local = (paper[above + x] as number) * (1 - down) + (paper[below + x] as number) * down
      gains[x] = (white * stretch) / local
    }
    for (let column = -1, x = 0; column < columns; column++) {
      const step = (gainAt(column + 1) - gainAt(column)) / side
      let gain = gainAt(column) + step * (x - (column + 0.5) * side)
      const end = Math.min(width, Math.round((column + 1.5) * side))
      for (; x < end; x++, at++, gain += step) out[at] = (pixels[at] as number) * gain - ink * stretch
    }
  }
  return new Uint8Array(out.buffer)
}
