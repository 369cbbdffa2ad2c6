import type { Point } from './outlines.ts'
import { paint, pngOf } from './paint.ts'
import { type Form, type Shadow, shadowOutline } from './shadow.ts'
import type { PlacedForm } from './shape.ts'

// Equal shadows share one picture. The number of pictures and of pixels is limited, which limits the time per deck.

export interface Picture {
  name: string
  /** From the upper left corner of the shape, in EMUs. */
  left: number
  top: number
  width: number
  height: number
}

// PowerPoint's resolution: 100 pixels per inch.
const unitsPerPixel = 9144
// A wide blur needs no finer resolution.
const maxPixelsOfDeviation = 8
// Measured: the blurred edges in PowerPoint's PDFs are Gaussian, with this ratio of standard deviation to radius.
const deviationOfBlur = 0.35
const maxPixels = 100_000
const maxPixelsInAll = 2_000_000
const maxPictures = 500
const maxLength = 100 * 914_400

export function createPictures() {
  const placed = new Map<string, Picture | undefined>()
  const files = new Map<string, Buffer>()
  let pixels = 0

  const draw = (form: Form, shadow: Shadow): Picture | undefined => {
    if (Math.max(form.width, form.height, shadow.blur) > maxLength) return undefined
    const outline = shadowOutline(form, shadow)
    if (!outline) return undefined
    const frame = frameOf(outline, shadow.blur)
    const deviation = shadow.blur * deviationOfBlur
    const unit = Math.max(
      unitsPerPixel,
      deviation / maxPixelsOfDeviation,
      Math.sqrt((frame.width * frame.height) / maxPixels),
    )
    const [width, height] = [Math.ceil(frame.width / unit), Math.ceil(frame.height / unit)]
    if (width * height > maxPixels * 1.1 || pixels + width * height > maxPixelsInAll) return undefined
    pixels += width * height
    const points = outline.map(({ x, y }) => ({ x: (x - frame.left) / unit, y: (y - frame.top) / unit }))
    const name = `ppt/media/kiln-shadow-${files.size + 1}.png`
    files.set(name, pngOf(paint(points, width, height, deviation / unit), shadow.parts, shadow.opacity))
    return { name, left: frame.left, top: frame.top, width: width * unit, height: height * unit }
  }

  return {
    files,
    /** Undefined for a shape with an unsupported outline, or if the limit is reached. */
    pictureOf({ x: _x, y: _y, scale: _, shadow, ...form }: PlacedForm): Picture | undefined {
      const key = JSON.stringify([form, shadow])
      if (!placed.has(key) && placed.size < maxPictures) placed.set(key, draw(form, shadow))
      return placed.get(key)
    },
  }
}

function frameOf(outline: readonly Point[], margin: number) {
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin]
  return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top }
}
