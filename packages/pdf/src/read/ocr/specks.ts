import { binarized, componentsOf } from './components.ts'
import { type Grey, white } from './grey.ts'

// Removes dust and fax noise: single dark pixels.

const dark = 128
/** Minimum share of isolated pixels among the dark ones: print has fewer. */
const minAlone = 0.01

export function despeckled(image: Grey): Grey {
  const alone: number[] = []
  let all = 0
  for (const { x0, y0, ink } of componentsOf(binarized(image.pixels, dark), image.width)) {
    if (ink === 1) alone.push(y0 * image.width + x0)
    all += ink
  }
  if (alone.length === 0 || alone.length < minAlone * all) return image
  const pixels = image.pixels.slice()
  for (const at of alone) pixels[at] = white
  return { ...image, pixels }
}
