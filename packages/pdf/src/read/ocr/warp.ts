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
 * A picture of the same size; `map` gives the position on `image`, outside of which it is white. With `visible`,
 * everything outside of both is like their edges.
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
      let left = (u * scale) | 0
      let top = (v * scale) | 0
      u += stepU
      v += stepV
      divisor += stepOfDivisor
      if (left < 0 || top < 0 || left >= maxX || top >= maxY) {
        if (!visible) continue
        left = Math.max(0, Math.min(maxX - 1, left))
        top = Math.max(0, Math.min(maxY - 1, top))
      }
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

/** Pixels that are averaged, so that noise at an edge does not become lines. */
const averaged = 32

function extendEdges(pixels: Uint8Array, width: number, { left, top, right, bottom }: Rectangle): void {
  const mean = (start: number, step: number): number => {
    let sum = 0
    for (let i = 0; i < averaged; i++) sum += pixels[start + i * step] ?? white
    return sum / averaged
  }
  for (let row = top * width; row < bottom * width; row += width) {
    pixels.fill(mean(row + left, 1), row, row + left)
    pixels.fill(mean(row + right - 1, -1), row + right, row + width)
  }
  for (let x = 0; x < width; x++) {
    const [above, below] = [mean(top * width + x, width), mean((bottom - 1) * width + x, -width)]
    for (let at = x; at < top * width; at += width) pixels[at] = above
    for (let at = bottom * width + x; at < pixels.length; at += width) pixels[at] = below
  }
}
