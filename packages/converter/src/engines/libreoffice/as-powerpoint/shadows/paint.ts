import { crc32, deflateSync } from 'node:zlib'
import type { Point } from './outlines.ts'

// Renders a polygon as a small picture: the coverage of each pixel, with a Gaussian blur.

export interface Mask {
  width: number
  height: number
  /** From 0 to 1. */
  coverage: Float32Array
}

/** Scan lines per pixel row. */
const linesPerPixel = 4

/** `points` and `deviation`, the standard deviation of the blur, are in pixels. */
export function paint(points: readonly Point[], width: number, height: number, deviation: number): Mask {
  const kernel = gaussianKernel(deviation)
  const rows = blur(fill(points, width, height), width, height, 1, width, kernel)
  return { width, height, coverage: blur(rows, height, width, width, 1, kernel) }
}

function fill(points: readonly Point[], width: number, height: number): Float32Array {
  const coverage = new Float32Array(width * height)
  for (let line = 0; line < height * linesPerPixel; line += 1) {
    const crossings = crossingsAt((line + 0.5) / linesPerPixel, points)
    const row = Math.floor(line / linesPerPixel) * width
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const [start = 0, end = 0] = crossings.slice(pair, pair + 2)
      for (let x = Math.max(0, Math.floor(start)); x < Math.min(width, end); x += 1) {
        const covered = Math.min(x + 1, end) - Math.max(x, start)
        coverage[row + x] = (coverage[row + x] ?? 0) + covered / linesPerPixel
      }
    }
  }
  return coverage
}

/** The intersections of the polygon's edges with the scan line, from left to right. */
function crossingsAt(y: number, points: readonly Point[]): number[] {
  const found: number[] = []
  let last = points.at(-1) ?? { x: 0, y: 0 }
  for (const point of points) {
    if (last.y <= y !== point.y <= y)
      found.push(last.x + ((point.x - last.x) * (y - last.y)) / (point.y - last.y))
    last = point
  }
  return found.sort((a, b) => a - b)
}

/** One half of the kernel, from its centre to three deviations. */
function gaussianKernel(deviation: number): Float32Array {
  const half = Float32Array.from({ length: Math.ceil(deviation * 3) + 1 }, (_, distance) =>
    Math.exp(-(distance ** 2) / (2 * Math.max(deviation, 0.01) ** 2)),
  )
  const sum = half.reduce((total, weight, distance) => total + weight * (distance === 0 ? 1 : 2), 0)
  return half.map((weight) => weight / sum)
}

/** Blurs along one axis: `count` lines of `length` pixels that are `step` apart; the lines start `next` apart. */
function blur(
  pixels: Float32Array,
  length: number,
  count: number,
  step: number,
  next: number,
  kernel: Float32Array,
): Float32Array {
  const blurred = new Float32Array(pixels.length)
  for (let line = 0; line < count; line += 1)
    for (let at = 0; at < length; at += 1) {
      const place = line * next + at * step
      let sum = (pixels[place] ?? 0) * (kernel[0] ?? 0)
      for (let distance = 1; distance < kernel.length; distance += 1) {
        const weight = kernel[distance] ?? 0
        if (at >= distance) sum += (pixels[place - distance * step] ?? 0) * weight
        if (at + distance < length) sum += (pixels[place + distance * step] ?? 0) * weight
      }
      blurred[place] = sum
    }
  return blurred
}

/** A PNG in one colour (red, green, blue), whose opacity follows the mask, up to `opacity`. */
export function pngOf({ width, height, coverage }: Mask, colour: readonly number[], opacity: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = Math.round(255 * opacity * Math.min(1, coverage[y * width + x] ?? 0))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, an index into a palette of 256 entries: one colour with opacities from 0 to 255.
  header.set([8, 3], 8)
  const colours = Buffer.from(Array.from({ length: 256 }, () => colour).flat())
  const opacities = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('tRNS', opacities),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
