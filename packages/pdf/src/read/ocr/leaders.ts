import { elementAt } from '../../element-at.ts'
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

interface Dot {
  left: number
  top: number
  right: number
  bottom: number
}

export function withoutLeaders(image: Grey): Grey {
  const leaders = rowsOf(dotsIn(image), furthest * image.dotsPerInch)
  if (leaders.length === 0) return image
  const pixels = image.pixels.slice()
  for (const { left, top, right, bottom } of leaders)
    for (let y = Math.max(0, top - 1); y <= Math.min(image.height - 1, bottom + 1); y++)
      pixels.fill(
        white,
        y * image.width + Math.max(0, left - 1),
        y * image.width + Math.min(image.width, right + 2),
      )
  return { ...image, pixels }
}

/** Small spots with light around them, row by row. */
function dotsIn({ width, height, pixels, dotsPerInch }: Grey): Dot[] {
  const side = Math.max(2, Math.round(largestDot * dotsPerInch))
  const isDark = (x: number, y: number): boolean => (pixels[y * width + x] as number) < dark
  const found: Dot[] = []
  const margin = Math.round(clear * dotsPerInch)
  const isClear = ({ left, right, top, bottom }: Dot): boolean => {
    for (let y = Math.max(0, top - margin); y <= Math.min(height - 1, bottom + margin); y++)
      for (let x = left; x <= right; x++) if ((y < top || y > bottom) && isDark(x, y)) return false
    return true
  }
  for (let y = 1; y + side + 1 < height; y++)
    for (let x = side + 1, at = y * width + x; x + side + 1 < width; x++, at++)
      if ((pixels[at] as number) < dark && !isDark(x - 1, y) && !isDark(x, y - 1)) {
        const dot = spotAt(x, y, side, isDark)
        if (dot && isClear(dot)) found.push(dot)
        if (found.length > maxDots) return []
      }
  return found
}

/** The spot whose topmost row has its leftmost pixel here; undefined if it is larger than a full stop. */
function spotAt(
  x: number,
  y: number,
  side: number,
  isDark: (x: number, y: number) => boolean,
): Dot | undefined {
  let [left, right, bottom] = [x, x, y]
  for (let row = y; row <= y + side; row++) {
    let [from, to] = [left - 1, right + 1]
    while (from <= to && !isDark(from, row)) from++
    if (from > to) return row === y ? undefined : { left, top: y, right, bottom }
    while (!isDark(to, row)) to--
    while (isDark(from - 1, row) && right - from < side) from--
    while (isDark(to + 1, row) && to - left < side) to++
    left = Math.min(left, from)
    right = Math.max(right, to)
    bottom = row
    if (right - left >= side) return undefined
    if (row === y)
      for (let above = left - 1; above <= right + 1; above++) if (isDark(above, y - 1)) return undefined
  }
  return undefined
}

/** The dots that are in rows, at equal steps. */
function rowsOf(dots: readonly Dot[], maxStep: number): Dot[] {
  const byLine = Map.groupBy(dots, ({ bottom }) => bottom)
  const used = new Set<Dot>()
  const behind = (dot: Dot): Dot | undefined => {
    let next: Dot | undefined
    for (let line = dot.bottom - rounded; line <= dot.bottom + rounded; line++)
      for (const each of byLine.get(line) ?? [])
        if (each.left > dot.right && each.left - dot.left <= maxStep && (!next || each.left < next.left))
          next = each
    return next
  }
  for (const dot of dots.toSorted((a, b) => a.left - b.left)) {
    if (used.has(dot)) continue
    const row = [dot]
    for (let next = behind(dot), step = 0; next && !used.has(next); next = behind(next)) {
      const own = next.left - elementAt(row, -1).left
      if (step > 0 && Math.abs(own - step) > unequal * step + rounded) break
      step = own
      row.push(next)
    }
    if (row.length >= minDots) for (const each of row) used.add(each)
  }
  return [...used]
}
