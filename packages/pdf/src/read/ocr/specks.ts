import { type Grey, white } from './grey.ts'

// Removes dust and fax noise: single dark pixels.

const dark = 128
/** Minimum share of isolated pixels among the dark ones: print has fewer. */
const minAlone = 0.01

export function withoutSpecks(image: Grey): Grey {
  const { width, height, pixels } = image
  const alone: number[] = []
  let darkDots = 0
  for (let y = 1; y + 1 < height; y++)
    for (let x = 1, at = y * width + 1; x + 1 < width; x++, at++) {
      if ((pixels[at] as number) >= dark) continue
      darkDots++
      if (isAlone(pixels, at, width)) alone.push(at)
    }
  if (alone.length === 0 || alone.length < minAlone * darkDots) return image
  const out = pixels.slice()
  for (const at of alone) out[at] = white
  return { ...image, pixels: out }
}

function isAlone(pixels: Uint8Array, at: number, width: number): boolean {
  for (let row = at - width; row <= at + width; row += width)
    for (let i = row - 1; i <= row + 1; i++) if (i !== at && (pixels[i] as number) < dark) return false
  return true
}
