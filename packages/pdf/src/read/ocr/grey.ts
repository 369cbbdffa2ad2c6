/** A greyscale picture; 0 is black. */
export interface Grey {
  width: number
  height: number
  dotsPerInch: number
  pixels: Uint8Array
  /** Maps a position, in pixels, to the position on the original picture; undefined if nothing was moved. */
  origin?: (x: number, y: number) => Place
}

interface Place {
  x: number
  y: number
}

/** The position on the original picture for the position `x`, `y` of `image`. */
export const originOf = ({ origin }: Grey, x: number, y: number): Place => origin?.(x, y) ?? { x, y }

export const white = 255

/** Rotates by clockwise quarter turns. */
export function turn(image: Grey, turns: number): Grey {
  if (turns % 4 === 0) return image
  const { width, height, pixels } = image
  const out = new Uint8Array(pixels.length)
  const isQuarter = turns % 2 === 1
  const [wide, tall] = isQuarter ? [height, width] : [width, height]
  for (let y = 0, to = 0; y < tall; y++)
    for (let x = 0; x < wide; x++, to++) {
      const from =
        turns === 1
          ? (height - 1 - x) * width + y
          : turns === 2
            ? pixels.length - 1 - to
            : x * width + (width - 1 - y)
      out[to] = pixels[from] as number
    }
  const origin = (x: number, y: number): Place => {
    if (turns === 2) return originOf(image, width - x, height - y)
    return turns === 1 ? originOf(image, y, height - x) : originOf(image, width - y, x)
  }
  return { ...image, width: wide, height: tall, pixels: out, origin }
}

/**
 * Distance in pixels between the inside of a stroke and the paper beside it, and the minimum difference of their
 * brightness; noise differs less.
 */
const [span, minChange] = [2, 64]

const changeAt = (pixels: Uint8Array, at: number): number =>
  Number(Math.abs((pixels[at] as number) - (pixels[at - span] as number)) >= minChange)

/** Number of changes between dark and light in each row. */
function changesOf({ width, height, pixels }: Grey): Float64Array {
  const rows = new Float64Array(height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let at = y * width + span; at < (y + 1) * width; at += span) sum += changeAt(pixels, at)
    rows[y] = sum
  }
  return rows
}

/** Number of changes between dark and light in each column of the rows from `top`. */
export function changesOfColumns({ width, height, pixels }: Grey, top = 0, tall = height): Float64Array {
  const columns = new Float64Array(width)
  for (let y = top; y < top + tall; y++)
    for (let x = span, at = y * width + span; x < width; x++, at++)
      columns[x] = (columns[x] as number) + changeAt(pixels, at)
  return columns
}

export function cut(
  { width, pixels, dotsPerInch }: Grey,
  left: number,
  top: number,
  wide: number,
  tall: number,
): Grey {
  const out = new Uint8Array(wide * tall)
  for (let y = 0; y < tall; y++)
    out.set(pixels.subarray((top + y) * width + left, (top + y) * width + left + wide), y * wide)
  return { width: wide, height: tall, dotsPerInch, pixels: out }
}

/** The part, of a size in inches, that has the most changes between dark and light: the one with the most text. */
export function densestPart(image: Grey, inches: { height: number; width: number }): Grey {
  const { width, height, dotsPerInch } = image
  const tall = Math.min(height, Math.round(inches.height * dotsPerInch))
  const top = densestStart(changesOf(image), tall)
  const wide = Math.min(width, Math.round(inches.width * dotsPerInch))
  return cut(image, densestStart(changesOfColumns(image, top, tall), wide), top, wide, tall)
}

/** Between lines of text, a row has less than this share of the changes in a row of letters. */
const quiet = 0.2
/** Quantile of the rows by number of changes: every page has some rows of letters. */
const rowOfLetters = 0.98
/** Height of the rows of letters in a few lines, and maximum height of these lines; in inches. */
const [ofLetters, maxStripHeight] = [0.4, 2]
/** Maximum height of letters, in inches. */
const highestLine = 0.3

/** A few lines of text where they are densest, over the full width. */
export function textStrip(image: Grey): Grey {
  const { width, height, dotsPerInch } = image
  const rows = changesOf(image)
  const sorted = rows.toSorted()
  const [lowest, highest] = [sorted[0] ?? 0, sorted[Math.floor(rowOfLetters * (height - 1))] ?? 0]
  const isText = (y: number): boolean => (rows[y] ?? 0) > lowest + quiet * (highest - lowest)
  const longest = Math.min(height, Math.round(maxStripHeight * dotsPerInch))
  const wanted = ofLetters * dotsPerInch
  let best = { top: 0, length: longest, text: 0 }
  let text = 0
  for (let top = 0, end = 0; end < height; end++) {
    text += Number(isText(end))
    while (end - top >= longest || text - Number(isText(top)) >= wanted) text -= Number(isText(top++))
    const length = end + 1 - top
    const isBetter = text >= wanted ? best.text < wanted || length < best.length : text > best.text
    if (isBetter) best = { top, length, text }
  }
  const furthest = Math.round(highestLine * dotsPerInch)
  let [top, end] = [best.top, best.top + best.length]
  while (top > 0 && best.top - top < furthest && isText(top)) top--
  while (end < height && end - best.top - best.length < furthest && isText(end - 1)) end++
  return cut(image, 0, top, width, end - top)
}

/** Sums that differ by less are equal: noise. */
const alike = 0.98

/**
 * Start of the `length` adjacent values with the largest sum; of several equal positions the middle one, so that no
 * letter is on the edge.
 */
function densestStart(values: Float64Array, length: number): number {
  const sums = new Float64Array(values.length - length + 1)
  let sum = 0
  for (const [i, own] of values.entries()) {
    sum += own - (i >= length ? (values[i - length] as number) : 0)
    if (i >= length - 1) sums[i - length + 1] = sum
  }
  const minSum = alike * sums.reduce((a, b) => Math.max(a, b), 0)
  const isDense = (value: number): boolean => value >= minSum
  const first = sums.findIndex(isDense)
  let last = first
  while (last + 1 < sums.length && isDense(sums[last + 1] as number)) last++
  return Math.floor((first + last) / 2)
}
