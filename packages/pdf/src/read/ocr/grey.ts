/** A picture in shades of grey; 0 is black. */
export interface Grey {
  width: number
  height: number
  dotsPerInch: number
  pixels: Uint8Array
  /** Where a place of it, in dots, lay on the picture that was given; undefined where it did not move. */
  origin?: (x: number, y: number) => Place
}

interface Place {
  x: number
  y: number
}

/** Where a place lay on the picture that `image` was made of, if it now is at `x`, `y` of `image`. */
export const originOf = ({ origin }: Grey, x: number, y: number): Place => origin?.(x, y) ?? { x, y }

export const white = 255

/** By clockwise quarter turns. */
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

/** Between the inside of a stroke and the paper beside it: dots, and the difference of their shades; noise differs less. */
const [span, minChange] = [2, 64]

const changeAt = (pixels: Uint8Array, at: number): number =>
  Number(Math.abs((pixels[at] as number) - (pixels[at - span] as number)) >= minChange)

/** How often each row changes between dark and light. */
function changesOf({ width, height, pixels }: Grey): Float64Array {
  const rows = new Float64Array(height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let at = y * width + span; at < (y + 1) * width; at += span) sum += changeAt(pixels, at)
    rows[y] = sum
  }
  return rows
}

function cut(
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

/** The part of a size in inches that has most changes between dark and light: the one with most text. */
export function densestPart(image: Grey, inches: { height: number; width: number }): Grey {
  const { width, height, pixels, dotsPerInch } = image
  const tall = Math.min(height, Math.round(inches.height * dotsPerInch))
  const top = densestStart(changesOf(image), tall)
  const columns = new Float64Array(width)
  for (let y = top; y < top + tall; y++)
    for (let x = span, at = y * width + span; x < width; x++, at++)
      columns[x] = (columns[x] as number) + changeAt(pixels, at)
  const wide = Math.min(width, Math.round(inches.width * dotsPerInch))
  return cut(image, densestStart(columns, wide), top, wide, tall)
}

/** Between lines of text a row has less than this share of what a row of letters has. */
const quiet = 0.2
/** Of the rows, from the one with fewest changes: some are rows of letters on every page. */
const rowOfLetters = 0.98
/** Rows of letters in a few lines, and all rows of these at the most; in inches. */
const [ofLetters, maxStripHeight] = [0.4, 2]
/** In inches: no letters are higher. */
const highestLine = 0.3

/** A few lines of text where they are closest, over the whole width. */
export function textStrip(image: Grey): Grey {
  const { width, height, dotsPerInch } = image
  const rows = changesOf(image)
  const sorted = rows.toSorted()
  const [least, most] = [sorted[0] ?? 0, sorted[Math.floor(rowOfLetters * (height - 1))] ?? 0]
  const isText = (y: number): boolean => (rows[y] ?? 0) > least + quiet * (most - least)
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

/** Sums that differ by less are alike: noise. */
const alike = 0.98

/** Where `length` neighbours have the largest sum; in the middle of such places, so that no letter lies on the edge. */
function densestStart(values: Float64Array, length: number): number {
  const sums = new Float64Array(values.length - length + 1)
  let sum = 0
  for (const [i, own] of values.entries()) {
    sum += own - (i >= length ? (values[i - length] as number) : 0)
    if (i >= length - 1) sums[i - length + 1] = sum
  }
  const most = alike * sums.reduce((a, b) => Math.max(a, b), 0)
  const isDense = (value: number): boolean => value >= most
  const first = sums.findIndex(isDense)
  let last = first
  while (last + 1 < sums.length && isDense(sums[last + 1] as number)) last++
  return Math.floor((first + last) / 2)
}
