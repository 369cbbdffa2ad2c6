import { elementAt } from '../element-at.ts'
import { firstFrom } from '../geometry.ts'
import type { PlacedGlyph } from '../math/tree.ts'
import type { Tag } from '../read/page.ts'
import { minPattern, rounding, surePattern, usualSpace, widestSpace } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { bulletSign, isCjk, isRtl } from './scripts.ts'

// Groups glyphs into rows (one baseline) and rows into text runs (no wide gap), from left to right.

/** Tolerance for the baselines of one row: rounding and the overshoot of fonts, in points and in ems. */
const minStepInEms = 0.08
/** A row may be skewed, as in scans: its height is a moving average over its glyphs. */
const inertia = 0.9
const follow = 0.1

/** Narrower gaps are letter spacing, in ems: half a narrow space. */
const letterGap = 0.13
/** Maximum width of a word space in running text, in ems. */
const widestWordGap = 3
/** A force-justified line has at least three gaps that differ by less than a third, each below five ems. */
const evenFrom = 0.65
const evenTo = 1.35
const widestEvenGap = 5
/** A wider gap is never a word space. */
const surelyApart = 2.2
/** Between the two limits: a gap that is this many times the usual one, in ordinary and in force-justified lines. */
const apartTimesUsual = 2.6
const apartTimesEven = 1.5

export interface RawTextRun {
  glyphs: PlacedGlyph[]
  x0: number
  x1: number
  y: number
  size: number
}

export const isSpace = (g: PlacedGlyph): boolean =>
  g.text === ' ' || (g.text.trim() === '' && g.text !== '\u3000')

function typicalSize(glyphs: readonly PlacedGlyph[]): number {
  const first = glyphs[0]?.size ?? usualSize
  if (glyphs.every((g) => g.size === first)) return first
  const sizes = glyphs.map((g) => g.size).sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? usualSize
}

export function findRows(glyphs: readonly PlacedGlyph[]): PlacedGlyph[][] {
  const sorted = [...glyphs].sort((a, b) => a.y - b.y)
  const rows: PlacedGlyph[][] = []
  let row: PlacedGlyph[] = []
  let y = 0
  for (const g of sorted) {
    if (row.length > 0 && g.y - y > Math.max(rounding, minStepInEms * g.size)) {
      rows.push(row)
      row = []
    }
    if (row.length === 0) y = g.y
    else y = y * inertia + g.y * follow
    row.push(g)
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** The minimum gap that separates two text runs. */
function wideGap(gaps: readonly number[], size: number, text: string): number {
  // A force-justified line has few words and the same wide gap everywhere.
  const all = gaps.filter((g) => g > letterGap * size).sort((a, b) => a - b)
  const middle = all[all.length >> 1] ?? 0
  const even =
    all.length >= minPattern &&
    (all[0] as number) > evenFrom * middle &&
    (all.at(-1) as number) < evenTo * middle
  if (even && middle < widestEvenGap * size && /^[\p{L}\p{P}]+$/u.test(text))
    return Math.max(widestSpace * size, apartTimesEven * middle)
  // In justified lines all gaps are wide; only a gap wider than the others counts.
  const words = gaps.filter((g) => g > letterGap * size && g < widestWordGap * size).sort((a, b) => a - b)
  const usual = words.length >= surePattern ? (words[words.length >> 1] as number) : usualSpace * size
  return Math.max(widestSpace * size, Math.min(apartTimesUsual * usual, surelyApart * size))
}

/** What a glyph belongs to besides its row: two cells, or two visits with a space between, are two text runs. */
export interface Belonging {
  /** The table cell of the glyph in the structure tree. */
  cellOf(g: PlacedGlyph): Tag | undefined
  /** How often another line was painted before it: columns are painted in turn, and a line in one go. */
  visitOf(g: PlacedGlyph): number
}

export function visitsIn(glyphs: readonly PlacedGlyph[]): (g: PlacedGlyph) => number {
  const visits = new Map<number, number>()
  let last: PlacedGlyph | undefined
  let visit = 0
  for (const g of glyphs.toSorted((a, b) => a.order - b.order)) {
    if (isSpace(g)) continue
    if (last && Math.abs(g.y - last.y) > Math.max(g.size, last.size)) visit++
    if (!visits.has(g.order)) visits.set(g.order, visit)
    last = g
  }
  return (g) => visits.get(g.order) ?? 0
}

/** Word processors indent the text of an item by up to half an inch, in points. */
const defaultTab = 36

/** A bullet belongs to the text beside it, however wide the gap: it is not a column. */
function isBullet(current: readonly PlacedGlyph[], next: PlacedGlyph): boolean {
  const [first, ...others] = current.filter((g) => !isSpace(g))
  if (first && others.length === 0 && bulletSign.test(first.text)) return !isRtl(next.text)
  return bulletSign.test(next.text) && current.some((g) => isRtl(g.text))
}

export function splitRow(row: readonly PlacedGlyph[], belonging?: Belonging): RawTextRun[] {
  const sorted = [...row].sort((a, b) => a.x - b.x)
  const inked = sorted.filter((g) => !isSpace(g))
  if (inked.length === 0) return []
  const gaps: number[] = []
  let edge = elementAt(inked, 0).box.x1
  for (const g of inked.slice(1)) {
    gaps.push(g.box.x0 - edge)
    edge = Math.max(edge, g.box.x1)
  }
  const threshold = wideGap(gaps, typicalSize(inked), inked.map((g) => g.text).join(''))
  const textRuns: RawTextRun[] = []
  let current: PlacedGlyph[] = []
  let lastInk = -Infinity
  let lastCell: Tag | undefined
  let lastVisit: number | undefined
  for (const g of sorted) {
    if (isSpace(g)) {
      current.push(g)
      continue
    }
    const cell = belonging?.cellOf(g)
    const visit = belonging?.visitOf(g)
    const gap = g.box.x0 - lastInk
    const isApart =
      (gap > threshold ||
        (visit !== lastVisit && gap > 2 * usualSpace * g.size) ||
        (cell !== lastCell && cell && lastCell)) &&
      !(gap < defaultTab && isBullet(current, g))
    if (current.length > 0 && Number.isFinite(lastInk) && isApart) {
      textRuns.push(textRun(current))
      current = []
    }
    current.push(g)
    lastInk = current.length === 1 ? g.box.x1 : Math.max(lastInk, g.box.x1)
    lastCell = cell
    lastVisit = visit
  }
  if (current.some((g) => !isSpace(g))) textRuns.push(textRun(current))
  return textRuns
}

function textRun(glyphs: PlacedGlyph[]): RawTextRun {
  let from = 0
  let to = glyphs.length
  while (from < to && isSpace(elementAt(glyphs, from))) from++
  while (to > from && isSpace(elementAt(glyphs, to - 1))) to--
  const kept = glyphs.slice(from, to)
  const inked = kept.filter((g) => !isSpace(g))
  let x0 = Infinity
  let x1 = -Infinity
  for (const { box } of inked) {
    x0 = Math.min(x0, box.x0)
    x1 = Math.max(x1, box.x1)
  }
  return { glyphs: kept, x0, x1, y: elementAt(inked, 0).y, size: typicalSize(inked) }
}

/** Maximum size of a superscript or subscript, relative to its text. */
const scriptSize = 0.85
/** Maximum distance of its baseline above or below that of its text, in ems of the text. */
const maxRaised = 0.62
const maxLowered = 0.35
const minShift = 0.03
/** Longer text is small print, not a script; in glyphs. */
const longestScript = 24
/** Maximum gap between a script and its text, less than a space; in ems. */
const scriptGap = 0.3
/** Italics overlap their scripts a little; more than this is separate text; in ems of the script. */
const maxOverlap = 0.25

/** Attaches small text runs slightly above or below a larger one and right beside it as superscripts and subscripts. */
export function attachScripts(given: readonly RawTextRun[]): RawTextRun[] {
  // Copies, because attaching extends them.
  const textRuns = given.map((p) => ({ ...p }))
  const big = [...textRuns].sort((a, b) => a.y - b.y)
  const heights = big.map((p) => p.y)
  const largest = textRuns.reduce((max, p) => Math.max(max, p.size), 0)
  const taken = new Set<RawTextRun>()
  for (const small of textRuns) {
    if (small.glyphs.length > longestScript || largest * scriptSize < small.size) continue
    let best: RawTextRun | undefined
    let bestGap = Infinity
    const lowest = small.y + maxRaised * largest
    for (let i = firstFrom(heights, small.y - maxLowered * largest); i < big.length; i++) {
      const host = elementAt(big, i)
      if (host.y > lowest) break
      if (host === small || taken.has(host)) continue
      if (host.size * scriptSize < small.size) continue
      const shift = (host.y - small.y) / host.size
      if (shift < -maxLowered || shift > maxRaised || Math.abs(shift) < minShift) continue
      const gap = Math.max(small.x0 - host.x1, host.x0 - small.x1)
      if (gap > scriptGap * host.size || gap >= bestGap) continue
      if (gap < 0 && collides(host, small)) continue
      best = host
      bestGap = gap
    }
    if (!best) continue
    const script = small.y < best.y ? 'super' : 'sub'
    const attached = small.glyphs.map((g): PlacedGlyph => ({ ...g, script, painted: g.painted ?? g }))
    best.glyphs = [...best.glyphs, ...attached].sort((a, b) => a.x - b.x)
    best.x0 = Math.min(best.x0, small.x0)
    best.x1 = Math.max(best.x1, small.x1)
    taken.add(small)
  }
  return textRuns.filter((p) => !taken.has(p))
}

function collides(host: RawTextRun, small: RawTextRun): boolean {
  return host.glyphs.some(
    (g) =>
      !isSpace(g) && Math.min(g.box.x1, small.x1) - Math.max(g.box.x0, small.x0) > maxOverlap * small.size,
  )
}

/**
 * Beside a script, the slant of italics and the kerning of formulas widen gaps; East Asian glyphs fill their em square, so a
 * painted space between two has at least this width; in ems.
 */
const scriptSpaceGap = 0.22
/** Between East Asian and Latin characters a quarter of an em is usual without a space. */
const mixedSpaceGap = 0.6

/** Letters that do not join have larger gaps in Arabic and Hebrew with painted spaces; a space has this, in ems. */
const rtlSpaceGap = 0.35

/** Whether a space separates two neighbours, by the gap and by painted spaces between them and in the text run. */
export function spaceBetween(
  a: PlacedGlyph,
  b: PlacedGlyph,
  { painted, paints, usualGap }: { painted: boolean; paints: boolean; usualGap: number },
): boolean {
  const gap = b.box.x0 - a.box.x1
  if (isCjk(a.text) && isCjk(b.text)) return painted && gap > scriptSpaceGap * Math.min(a.size, b.size)
  if (painted) return true
  const size = Math.min(a.size, b.size)
  if (a.script !== b.script) return gap > scriptSpaceGap * Math.max(a.size, b.size)
  if (isCjk(a.text) || isCjk(b.text)) return gap > mixedSpaceGap * size
  if (paints && isRtl(a.text) && isRtl(b.text)) return gap > usualGap + rtlSpaceGap * size
  return gap > usualGap + letterGap * size
}
