import { changesOfColumns, cut, type Grey, originOf, white } from './grey.ts'
import type { OcrReading } from './reading.ts'

// Two pages of an open book on one scan. Each has a skew of its own, so each is read alone.

/** Ratio of width to height: two pages of any paper size side by side are wider than high. */
const minRatio = 1.15
/** The gutter is in this part of the width. */
const [furthestLeft, furthestRight] = [0.4, 0.6]
/** In inches: letters, and columns of one page, are closer. */
const minGutter = 0.3
/** A column with more changes between dark and light, as a share of its height, crosses text; specks make fewer. */
const ofSpecks = 0.005
/** A column that changes in more rows than this is the edge of a page, or of the shadow in the fold. */
const ofEdge = 0.5
/** Minimum share of all changes in each half: otherwise one of the pages is blank. */
const minText = 0.15

/** The position of the gutter between two pages; undefined if the picture shows one page. */
export function gutterOf(image: Grey): number | undefined {
  const { width, height, dotsPerInch } = image
  if (width < minRatio * height) return undefined
  const changes = changesOfColumns(image)
  const isBlank = (x: number): boolean => {
    const share = (changes[x] ?? 0) / height
    return share < ofSpecks || share > ofEdge
  }
  const [from, to] = [Math.floor(furthestLeft * width), Math.ceil(furthestRight * width)]
  let widest = { start: from, length: 0 }
  for (let x = from, start = from; x < to; x++) {
    if (!isBlank(x)) start = x + 1
    else if (x + 1 - start > widest.length) widest = { start, length: x + 1 - start }
  }
  if (widest.length < minGutter * dotsPerInch) return undefined
  const gutter = widest.start + Math.round(widest.length / 2)
  const sumOf = (own: Float64Array): number => own.reduce((sum, count) => sum + count, 0)
  const left = sumOf(changes.subarray(0, gutter)) / Math.max(1, sumOf(changes))
  return Math.min(left, 1 - left) >= minText ? gutter : undefined
}

/** The pages on both sides of the gutter. */
export const halvesOf = (image: Grey, gutter: number): readonly [Grey, Grey] => [
  { ...cut(image, 0, 0, gutter, image.height), origin: (x, y) => originOf(image, x, y) },
  {
    ...cut(image, gutter, 0, image.width - gutter, image.height),
    origin: (x, y) => originOf(image, x + gutter, y),
  },
]

/** One reading of both pages, which are upright. */
export function joined(left: OcrReading, right: OcrReading): OcrReading {
  const shift = left.image.width
  const moved = right.words.map((word) => ({ ...word, left: word.left + shift, line: `right.${word.line}` }))
  const missingScript = left.missingScript ?? right.missingScript
  return {
    words: [...left.words, ...moved],
    languages: [...new Set([...left.languages, ...right.languages])],
    image: beside(left.image, right.image),
    turns: 0,
    isFailed: left.isFailed === true || right.isFailed === true,
    ...(missingScript === undefined ? {} : { missingScript }),
  }
}

function beside(left: Grey, right: Grey): Grey {
  const width = left.width + right.width
  const pixels = new Uint8Array(width * left.height).fill(white)
  for (let y = 0; y < left.height; y++) {
    pixels.set(left.pixels.subarray(y * left.width, (y + 1) * left.width), y * width)
    pixels.set(right.pixels.subarray(y * right.width, (y + 1) * right.width), y * width + left.width)
  }
  const origin = (x: number, y: number) =>
    x < left.width ? originOf(left, x, y) : originOf(right, x - left.width, y)
  return { ...left, width, pixels, origin }
}
