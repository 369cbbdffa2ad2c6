import { type Grey, white } from './grey.ts'

// Paper lies askew on a scanner, and a photograph shows its lines at different slopes above and below. Where lines of
// text lie level, rows of dots are either full of ink or empty: the slope at which they differ most is that of the text.

/** Dots per inch at which the slope is looked for. */
const coarse = 50
/** In dots down per dot to the right. */
const steepest = 0.12
const [wideStep, fineStep] = [0.004, 0.0005]
/** Lines that slope less are read as well as level ones, and turning the picture blurs it. */
const leastSlope = 0.003
/** Slopes of the upper and the lower half that differ by less are one. */
const leastDifference = 0.006
/** Of the best slope's measure against that of level lines: less is chance. */
const leastGain = 1.02
/** Ink against paper, of 255. */
const dark = 160

export function straightened(image: Grey): Grey {
  const ink = coarseInk(image)
  const whole = slopeIn(ink, 0, ink.height)
  const half = Math.floor(ink.height / 2)
  const [upper, lower] = [slopeIn(ink, 0, half), slopeIn(ink, half, ink.height)]
  const isKeystone = upper !== undefined && lower !== undefined && Math.abs(upper - lower) >= leastDifference
  if (isKeystone) return turned(image, (y) => upper + (lower - upper) * (2 * y - 0.5))
  const slope = whole ?? 0
  return Math.abs(slope) >= leastSlope ? turned(image, () => slope) : image
}

interface Ink {
  width: number
  height: number
  /** Share of dark dots in each cell, of 255. */
  share: Uint8Array
}

function coarseInk({ width, height, pixels, dotsPerInch }: Grey): Ink {
  const side = Math.max(1, Math.round(dotsPerInch / coarse))
  const [columns, rows] = [Math.floor(width / side), Math.floor(height / side)]
  const share = new Uint8Array(columns * rows)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      let count = 0
      for (let row = y * side; row < (y + 1) * side; row++)
        for (let at = row * width + x * side; at < row * width + (x + 1) * side; at++)
          if ((pixels[at] as number) < dark) count++
      share[y * columns + x] = (white * count) / (side * side)
    }
  return { width: columns, height: rows, share }
}

/** Undefined where nothing on these rows shows a slope. */
function slopeIn(ink: Ink, top: number, bottom: number): number | undefined {
  const level = contrastAt(ink, 0, top, bottom)
  let best = { slope: 0, contrast: level }
  const look = (from: number, to: number, step: number): void => {
    for (let slope = from; slope <= to; slope += step) {
      const contrast = contrastAt(ink, slope, top, bottom)
      if (contrast > best.contrast) best = { slope, contrast }
    }
  }
  look(-steepest, steepest, wideStep)
  look(best.slope - wideStep, best.slope + wideStep, fineStep)
  if (level === 0 && best.contrast === 0) return undefined
  return best.contrast >= leastGain * level ? best.slope : 0
}

/** How much neighbouring rows differ when they are taken along a slope. */
function contrastAt({ width, height, share }: Ink, slope: number, top: number, bottom: number): number {
  const sums = new Float64Array(bottom - top)
  for (let x = 0; x < width; x++) {
    const shift = Math.round(slope * (x - width / 2))
    for (let y = Math.max(top, -shift); y < Math.min(bottom, height - shift); y++)
      sums[y - top] = (sums[y - top] as number) + (share[(y + shift) * width + x] as number)
  }
  let contrast = 0
  for (let y = 1; y < sums.length; y++) contrast += ((sums[y] as number) - (sums[y - 1] as number)) ** 2
  return contrast
}

/** Turned about the centre by a slope that may differ from row to row; `slopeAt` takes the share of the height. */
function turned(image: Grey, slopeAt: (y: number) => number): Grey {
  const { width, height, pixels } = image
  const out = new Uint8Array(width * height).fill(white)
  for (let y = 0, to = 0; y < height; y++) {
    const slope = slopeAt(y / height)
    const scale = 1 / Math.hypot(1, slope)
    const dy = y - height / 2
    // Where the row begins, and where the next dot of it lies.
    let fromX = width / 2 + scale * (-width / 2 - slope * dy)
    let fromY = height / 2 + scale * (dy - (slope * width) / 2)
    for (let x = 0; x < width; x++, to++, fromX += scale, fromY += scale * slope) {
      const left = Math.floor(fromX)
      const top = Math.floor(fromY)
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue
      const right = fromX - left
      const down = fromY - top
      const at = top * width + left
      const above = (pixels[at] as number) * (1 - right) + (pixels[at + 1] as number) * right
      const below = (pixels[at + width] as number) * (1 - right) + (pixels[at + width + 1] as number) * right
      out[to] = above * (1 - down) + below * down
    }
  }
  return { ...image, pixels: out }
}
