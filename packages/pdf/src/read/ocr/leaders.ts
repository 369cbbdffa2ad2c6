import { elementAt } from '../../element-at.ts'
import { binarized, type Component, componentsOf } from './components.ts'
import { type Grey, white } from './grey.ts'

// Dot leaders between a title and its page number. Tesseract reads them as letters and loses the words beside them.

/** In inches: a full stop of large print, and the maximum distance between leader dots. */
const largestDot = 0.04
const furthest = 0.25
/** Minimum number of dots in a row: an ellipsis has three. */
const minDots = 5
/** Steps between dots are equal within this share, plus pixels that print and paper add. */
const unequal = 0.1
const rounded = 2
/** In inches: the stem below the dot of an i, or the letter above a dot, is closer. */
const clear = 0.06
const dark = 150
/** Maximum on one page: more are a texture. */
const maxDots = 20_000

export function withoutLeaders(image: Grey): Grey {
  const leaders = rowsOf(dotsIn(image), furthest * image.dotsPerInch)
  if (leaders.length === 0) return image
  const pixels = image.pixels.slice()
  for (const { x0, x1, y0, y1 } of leaders)
    for (let y = Math.max(0, y0 - 1); y <= Math.min(image.height - 1, y1); y++)
      pixels.fill(
        white,
        y * image.width + Math.max(0, x0 - 1),
        y * image.width + Math.min(image.width, x1 + 1),
      )
  return { ...image, pixels }
}

/** Small components with paper above and below them. */
function dotsIn({ width, height, pixels, dotsPerInch }: Grey): Component[] {
  const side = Math.max(2, Math.round(largestDot * dotsPerInch))
  const margin = Math.round(clear * dotsPerInch)
  const isClear = ({ x0, x1, y0, y1 }: Component): boolean => {
    for (let y = Math.max(0, y0 - margin); y < Math.min(height, y1 + margin); y++)
      for (let at = y * width + x0; at < y * width + x1; at++)
        if ((y < y0 || y >= y1) && (pixels[at] as number) < dark) return false
    return true
  }
  const found: Component[] = []
  for (const each of componentsOf(binarized(pixels, dark), width)) {
    if (each.x1 - each.x0 <= side && each.y1 - each.y0 <= side && isClear(each)) found.push(each)
    if (found.length > maxDots) return []
  }
  return found
}

/** The dots that are in rows, at equal steps. */
function rowsOf(dots: readonly Component[], maxStep: number): Component[] {
  const byLine = Map.groupBy(dots, ({ y1 }) => y1)
  const used = new Set<Component>()
  const behind = (dot: Component): Component | undefined => {
    let next: Component | undefined
    for (let line = dot.y1 - rounded; line <= dot.y1 + rounded; line++)
      for (const each of byLine.get(line) ?? [])
        if (each.x0 >= dot.x1 && each.x0 - dot.x0 <= maxStep && (!next || each.x0 < next.x0)) next = each
    return next
  }
  for (const dot of dots.toSorted((a, b) => a.x0 - b.x0)) {
    if (used.has(dot)) continue
    const row = [dot]
    for (let next = behind(dot), step = 0; next && !used.has(next); next = behind(next)) {
      const own = next.x0 - elementAt(row, -1).x0
      if (step > 0 && Math.abs(own - step) > unequal * step + rounded) break
      step = own
      row.push(next)
    }
    if (row.length >= minDots) for (const each of row) used.add(each)
  }
  return [...used]
}
