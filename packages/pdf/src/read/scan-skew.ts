import { median } from '../geometry.ts'
import type { OcrWord } from './ocr/words.ts'

// The skew of a scanned page, from the words of its lines.

export interface Skew {
  /** Pixels down per pixel to the right. */
  slope: number
  /** The centre of the picture, in pixels, about which it is rotated. */
  x: number
  y: number
}

/** Shorter lines do not show the skew; a share of the page's width. */
const minLine = 0.25
/** A smaller slope is rounding; a larger one is not the scan of a page. */
const minSlope = 0.0008
const maxSlope = 0.06

export function skewOf(
  lines: readonly (readonly OcrWord[])[],
  page: { width: number; height: number },
): Skew {
  const slopes = lines.flatMap((line) => {
    const points = line.map((w) => ({ x: w.left + w.width / 2, y: w.top + w.height / 2 }))
    const [first, last] = [line[0], line.at(-1)]
    if (!first || !last || last.left + last.width - first.left < minLine * page.width) return []
    return [slopeOf(points)]
  })
  const slope = slopes.length > 0 ? median(slopes) : 0
  const counts = Math.abs(slope) >= minSlope && Math.abs(slope) <= maxSlope
  return { slope: counts ? slope : 0, x: page.width / 2, y: page.height / 2 }
}

/** The slope of the regression line through the points. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const [x, y] = [mean(points.map((p) => p.x)), mean(points.map((p) => p.y))]
  const along = points.reduce((sum, p) => sum + (p.x - x) ** 2, 0)
  return along > 0 ? points.reduce((sum, p) => sum + (p.x - x) * (p.y - y), 0) / along : 0
}

/** The position of the word on the deskewed page. */
export function straighten(word: OcrWord, { slope, x, y }: Skew): OcrWord {
  if (slope === 0) return word
  const centre = { x: word.left + word.width / 2, y: word.top + word.height / 2 }
  // The bounding box of a sloping word is taller by the rise of the word.
  const height = Math.max(word.height / 2, word.height - Math.abs(slope) * word.width)
  const width = Math.max(word.width / 2, word.width - Math.abs(slope) * word.height)
  return {
    ...word,
    width,
    height,
    left: centre.x + slope * (centre.y - y) - width / 2,
    top: centre.y - slope * (centre.x - x) - height / 2,
  }
}
