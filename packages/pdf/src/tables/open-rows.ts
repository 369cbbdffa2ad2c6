import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { LineRow } from '../lines/line-rows.ts'
import type { Rule } from '../read/page.ts'
import { closeLines, fullLine, majority, rounding, samePosition } from '../tolerances.ts'
import type { Region } from './regions.ts'
import { rowsByDistance } from './row-distance.ts'
import { headWraps, isBroken, roomsOf, wraps } from './row-wraps.ts'
import type { Interval } from './strips.ts'

// Rows of a region: one per baseline, except that a continuation line belongs to the row that it continues, and text
// halfway between rows spans them.

export interface PlacedText {
  textRuns: TextRun[]
  from: number
  to: number
}

export interface OpenRow {
  texts: PlacedText[]
  y0: number
  y1: number
  baseline: number
}

/** The columns that a text extends into by more than a side bearing or by half of the column, or that the short rule
 * below it covers. */
function spanOf(
  textRun: TextRun,
  columns: readonly Interval[],
  under: Rule | undefined,
): { from: number; to: number } {
  const over = columns.flatMap(([a, b], i) =>
    Math.min(b, textRun.box.x1) - Math.max(a, textRun.box.x0) > Math.min(samePosition, majority * (b - a))
      ? [i]
      : [],
  )
  const middle = (textRun.box.x0 + textRun.box.x1) / 2
  const nearest = columns.reduce(
    (best, [a, b], i) => {
      const distance = Math.max(0, a - middle, middle - b)
      return distance < best.distance ? { i, distance } : best
    },
    { i: 0, distance: Infinity },
  ).i
  const from = over[0] ?? nearest
  const to = over.at(-1) ?? nearest
  if (!under) return { from, to }
  const ruled = columns.flatMap(([a, b], i) =>
    Math.min(b, under.to) - Math.max(a, under.from) > majority * (b - a) ? [i] : [],
  )
  return { from: Math.min(from, ruled[0] ?? from), to: Math.max(to, ruled.at(-1) ?? to) }
}

const isOver = ({ box }: TextRun, rule: Rule): boolean =>
  rule.from < box.x0 + samePosition && rule.to > box.x1 - samePosition

/** Short rules below exactly one heading of a line: a rule below two is not evidence for either. */
const rulesUnder = ({ textRuns, baseline, size }: LineRow, short: readonly Rule[]): Rule[] =>
  short.filter(
    (r) => r.at > baseline - 1 && r.at - baseline < size && textRuns.filter((p) => isOver(p, r)).length === 1,
  )

export function rowsOf(region: Omit<Region, 'sources'>, columns: readonly Interval[]): OpenRow[] {
  const { lines, rules, short } = region
  const ruleBetween = (y0: number, y1: number, within: readonly Rule[]): boolean =>
    within.some((r) => r.at > y0 - rounding && r.at < y1)
  const place = (line: LineRow): PlacedText[] => {
    const texts: PlacedText[] = []
    const under = rulesUnder(line, short)
    for (const textRun of line.textRuns) {
      const { from, to } = spanOf(
        textRun,
        columns,
        under.find((r) => isOver(textRun, r)),
      )
      const last = texts.at(-1)
      // Two texts that begin in the same column are one text with a wide gap.
      if (last && last.from >= from) {
        last.textRuns.push(textRun)
        last.to = Math.max(last.to, to)
      } else {
        if (last) last.to = Math.min(last.to, from - 1)
        texts.push({ textRuns: [textRun], from, to })
      }
    }
    return texts
  }
  const placed = lines.map(place)
  const rooms = roomsOf(placed, columns, region.x1)
  const wrapped = placed.some(
    (texts, i) => i > 0 && wraps(elementAt(placed, i - 1), texts, { rooms, wrapped: false }),
  )
  // A header of any number of lines: the rows above the second rule, if more rows are below it.
  const second = rules[1]?.at ?? 0
  const headEnd = (lines.at(-1)?.baseline ?? 0) > second ? second : 0
  // Rules between rows show them.
  const body = lines.findIndex((l) => l.baseline > headEnd)
  const isRuled = rules.slice(0, -1).some((r) => r.at > elementAt(lines, body).baseline)
  const starts = isRuled
    ? undefined
    : rowsByDistance(
        lines.slice(body).map(({ baseline }, i) => ({
          baseline,
          textRuns: elementAt(placed, body + i).flatMap((t) => t.textRuns),
        })),
        columns,
      )
  const out: OpenRow[] = []
  for (const [i, line] of lines.entries()) {
    const upper = placed[i - 1] ?? []
    const texts = elementAt(placed, i)
    const inHead = line.baseline < headEnd
    const y0 = Math.min(...line.textRuns.map((p) => p.box.y0))
    const y1 = Math.max(...line.textRuns.map((p) => p.box.y1))
    const above = out.at(-1)
    const isClose =
      above !== undefined &&
      !ruleBetween(above.baseline, line.baseline - line.size / 2, [...rules, ...short]) &&
      line.baseline - above.baseline < closeLines * line.size
    const goesOn =
      starts && i > body
        ? !starts.includes(i - body)
        : isClose &&
          (stubGoesOn(texts, above, columns) ||
            wraps(upper, texts, { rooms, wrapped }) ||
            (inHead && headWraps(upper, texts, rooms)) ||
            ((texts.length < Math.max(2, majority * columns.length) || isWithoutStub(texts, columns)) &&
              texts.every((t) => continues(t, above, columns))))
    if (above && goesOn) {
      for (const t of texts) {
        const own = above.texts.find((o) => o.from === t.from)
        if (own) own.textRuns.push(...t.textRuns)
        else above.texts.push(t)
      }
      above.y1 = y1
      above.baseline = line.baseline
    } else
      out.push({
        texts: texts.map((t) => ({ ...t, textRuns: [...t.textRuns] })),
        y0,
        y1,
        baseline: line.baseline,
      })
  }
  return out
}

function continues(text: PlacedText, above: OpenRow, columns: readonly Interval[]): boolean {
  const own = above.texts.find((t) => t.from === text.from && t.to === text.to)
  const last = own?.textRuns.at(-1)
  if (!own || !last) return false
  const [a, b] = [elementAt(columns, text.from)[0], elementAt(columns, text.to)[1]]
  if (/^[\p{Ll}(,;]/u.test(text.textRuns[0]?.text ?? '')) return true
  const words = last.words.length > 1 || /[-–,/]$/.test(last.text)
  return words && last.box.x1 - last.box.x0 > fullLine * (b - a) && !/[.!?]$/.test(last.text)
}

/** Rows begin in the first column: if it is empty, the other cells may be continuation lines. */
const isWithoutStub = (texts: readonly PlacedText[], columns: readonly Interval[]): boolean =>
  texts.length < columns.length && texts.every((t) => t.from > 0)

/** Whether the first column continues, and its row with it. */
function stubGoesOn(texts: readonly PlacedText[], above: OpenRow, columns: readonly Interval[]): boolean {
  const inStub = (t: PlacedText): boolean => t.from === 0 && t.to === 0
  const start = texts.find(inStub)?.textRuns[0]
  const last = above.texts.find(inStub)?.textRuns.at(-1)
  return start !== undefined && last !== undefined && isBroken(last, start, elementAt(columns, 0)[1])
}

/** The median distance of rows. */
export const stepOf = (rows: readonly OpenRow[]): number =>
  median(rows.slice(1).map((r, i) => r.baseline - elementAt(rows, i).baseline))
