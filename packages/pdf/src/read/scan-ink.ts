import type { Grey } from './ocr/grey.ts'

// The ink of a scanned page: the darkness of each pixel relative to the paper.

export interface Ink {
  width: number
  height: number
  /** Per pixel: 0 is paper, 255 black. */
  dark: Uint8Array
}

const brightest = 255

/** Step between sampled pixels: odd, so that it does not coincide with patterns of the picture. */
const stride = 7

export function inkOf({ width, height, pixels: light }: Pick<Grey, 'width' | 'height' | 'pixels'>): Ink {
  const counts = new Uint32Array(brightest + 1)
  for (let i = 0; i < light.length; i += stride) {
    const value = light[i] as number
    counts[value] = (counts[value] as number) + 1
  }
  const paper = Math.max(1, counts.indexOf(counts.reduce((max, c) => Math.max(max, c), 0)))
  const darkness = counts.map((_, value) => Math.max(0, brightest - Math.round((value * brightest) / paper)))
  const dark = new Uint8Array(light.length)
  for (let i = 0; i < light.length; i++) dark[i] = darkness[light[i] as number] as number
  return { width, height, dark }
}

/** Darkness (0 to 255) from which a pixel is part of a letter. */
const ofLetter = 128

/** Stroke width of the ink in a box, in pixels. */
export function strokeIn(
  ink: Ink,
  box: { left: number; top: number; width: number; height: number },
): number {
  let sum = 0
  let strokes = 0
  for (let y = Math.max(0, box.top); y < Math.min(ink.height, box.top + box.height); y++) {
    let inside = false
    for (let x = Math.max(0, box.left); x < Math.min(ink.width, box.left + box.width); x++) {
      const dark = ink.dark[y * ink.width + x] as number
      sum += dark
      if (dark > ofLetter && !inside) strokes++
      inside = dark > ofLetter
    }
  }
  return strokes > 0 ? sum / brightest / strokes : 0
}

/** The columns of a box that contain ink. */
export function inkedColumns(
  { width, height, dark }: Ink,
  box: { left: number; top: number; width: number; height: number },
): number[] {
  const [top, bottom] = [Math.max(0, box.top), Math.min(height, box.top + box.height)]
  const isInked = (x: number): boolean => {
    for (let y = top; y < bottom; y++) if ((dark[y * width + x] as number) > ofLetter) return true
    return false
  }
  const out: number[] = []
  for (let x = Math.max(0, box.left); x < Math.min(width, box.left + box.width); x++)
    if (isInked(x)) out.push(x)
  return out
}
