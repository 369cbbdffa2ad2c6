import type { Bitmap } from '../png.ts'

/** A picture in shades of grey; 0 is black. */
export interface Grey {
  width: number
  height: number
  dotsPerInch: number
  pixels: Uint8Array
}

/** Shares of the colours in what eyes see, of 256. */
const [ofBlue, ofGreen, ofRed] = [28, 151, 77] as const
export const white = 255

/** What is transparent is paper. */
export function toGrey({ width, height, pixels }: Bitmap, dotsPerInch: number): Grey {
  const out = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < out.length; i++, at += 4) {
    const value =
      (ofBlue * (pixels[at] as number) +
        ofGreen * (pixels[at + 1] as number) +
        ofRed * (pixels[at + 2] as number)) >>
      8
    const alpha = pixels[at + 3] as number
    out[i] = alpha === white ? value : white - (((white - value) * alpha) >> 8)
  }
  return { width, height, dotsPerInch, pixels: out }
}

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
  return { ...image, width: wide, height: tall, pixels: out }
}

/** In inches: less has too few letters to judge by. */
const leastPart = 1

/** The part, by its shares of height and width, that has most changes between dark and light: the one with most text. */
export function densestPart(image: Grey, shareOfHeight: number, shareOfWidth: number): Grey {
  const { width, height, pixels, dotsPerInch } = image
  const rows = new Float64Array(height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let at = y * width + 1; at < (y + 1) * width; at++)
      sum += Math.abs((pixels[at] as number) - (pixels[at - 1] as number))
    rows[y] = sum
  }
  const part = (share: number, side: number): number =>
    Math.min(side, Math.max(Math.round(leastPart * dotsPerInch), Math.round(share * side)))
  const tall = part(shareOfHeight, height)
  const top = densestStart(rows, tall)
  const columns = new Float64Array(width)
  for (let y = top; y < top + tall; y++)
    for (let x = 1, at = y * width + 1; x < width; x++, at++)
      columns[x] = (columns[x] as number) + Math.abs((pixels[at] as number) - (pixels[at - 1] as number))
  const wide = part(shareOfWidth, width)
  const left = densestStart(columns, wide)
  const out = new Uint8Array(wide * tall)
  for (let y = 0; y < tall; y++)
    out.set(pixels.subarray((top + y) * width + left, (top + y) * width + left + wide), y * wide)
  return { width: wide, height: tall, dotsPerInch, pixels: out }
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
