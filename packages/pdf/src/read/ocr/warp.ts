import { type Grey, originOf, white } from './grey.ts'

// Projective maps between the pixels of a picture and those of the picture that it is made from.

/** Row by row; the last row is the divisor of the others. */
export type Projection = readonly [number, number, number, number, number, number, number, number, number]

interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

const projected = (map: Projection, x: number, y: number): { x: number; y: number } => {
  const divisor = map[6] * x + map[7] * y + map[8]
  return {
    x: (map[0] * x + map[1] * y + map[2]) / divisor,
    y: (map[3] * x + map[4] * y + map[5]) / divisor,
  }
}

/** Positions between pixels have this many parts. */
const parts = 256

/**
 * A picture of the same size; `map` gives the position on `image`, outside of which it is white. What is outside of
 * `visible` becomes like its edges.
 */
export function warped(image: Grey, map: Projection, visible?: Rectangle): Grey {
  const { width, height, pixels } = image
  const out = new Uint8Array(width * height).fill(white)
  const from = Math.max(0, Math.ceil(visible?.left ?? 0))
  const to = Math.min(width, Math.floor(visible?.right ?? width))
  const start = Math.max(0, Math.ceil(visible?.top ?? 0))
  const end = Math.min(height, Math.floor(visible?.bottom ?? height))
  const [maxX, maxY] = [(width - 1) * parts, (height - 1) * parts]
  const [stepU, stepV, stepOfDivisor] = [parts * map[0], parts * map[3], map[6]]
  for (let y = start; y < end; y++) {
    let u = parts * (map[0] * from + map[1] * y + map[2])
    let v = parts * (map[3] * from + map[4] * y + map[5])
    let divisor = map[6] * from + map[7] * y + map[8]
    for (let at = y * width + from, last = y * width + to; at < last; at++) {
      const scale = 1 / divisor
      const left = (u * scale) | 0
      const top = (v * scale) | 0
      u += stepU
      v += stepV
      divisor += stepOfDivisor
      if (left < 0 || top < 0 || left >= maxX || top >= maxY) continue
      const source = (top >> 8) * width + (left >> 8)
      const right = left & 255
      const under = source + width
      const above = (pixels[source] as number) * (parts - right) + (pixels[source + 1] as number) * right
      const below = (pixels[under] as number) * (parts - right) + (pixels[under + 1] as number) * right
      out[at] = (above * parts + (below - above) * (top & 255)) >> 16
    }
  }
  if (visible) extendEdges(out, width, { left: from, top: start, right: to, bottom: end })
  const origin = (x: number, y: number) => {
    const place = projected(map, x, y)
    return originOf(image, place.x, place.y)
  }
  return { ...image, pixels: out, origin }
}

function extendEdges(pixels: Uint8Array, width: number, { left, top, right, bottom }: Rectangle): void {
  for (let row = top * width; row < bottom * width; row += width) {
    pixels.fill(pixels[row + left] as number, row, row + left)
    pixels.fill(pixels[row + right - 1] as number, row + right, row + width)
  }
  for (let row = 0; row < top * width; row += width) pixels.copyWithin(row, top * width, (top + 1) * width)
  for (let row = bottom * width; row < pixels.length; row += width)
    pixels.copyWithin(row, (bottom - 1) * width, bottom * width)
}
