import { type Grey, white } from './grey.ts'
import type { OcrWord } from './words.ts'

// A picture of some words of a page, side by side in lines.

/** In inches: width of the picture, and margin around each word. */
const sheet = { width: 5, margin: 0.03 }

/** A word and its position on the sheet. */
interface OnSheet {
  word: OcrWord
  left: number
  top: number
}

/** `minGap` is the least space between words in pixels. */
export function sheetOf(
  words: readonly OcrWord[],
  image: Grey,
  minGap: number,
): { image: Grey; places: OnSheet[] } {
  const dots = (inches: number): number => Math.round(inches * image.dotsPerInch)
  const margin = dots(sheet.margin)
  // The margins of tiny words would reach beyond the picture.
  const gap = Math.max(minGap, margin)
  const width = Math.max(dots(sheet.width), ...words.map((w) => w.width + 2 * gap))
  const lineHeight = Math.max(...words.map((w) => w.height)) + gap
  let [left, bottom] = [gap, lineHeight + gap]
  const places = words.map((word) => {
    if (left + word.width + gap > width) {
      left = gap
      bottom += lineHeight
    }
    const place = { word, left, top: bottom - word.height }
    left += word.width + gap
    return place
  })
  const height = bottom + gap
  const pixels = new Uint8Array(width * height).fill(white)
  for (const { word, left, top } of places) {
    const from = Math.max(0, word.left - margin)
    const to = Math.min(image.width, word.left + word.width + margin)
    const last = Math.min(image.height, word.top + word.height + margin)
    for (let y = Math.max(0, word.top - margin); y < last; y++) {
      const at = (top + y - word.top) * width + left + from - word.left
      pixels.set(image.pixels.subarray(y * image.width + from, y * image.width + to), at)
    }
  }
  return { image: { width, height, pixels, dotsPerInch: image.dotsPerInch }, places }
}
