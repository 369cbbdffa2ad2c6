import { centreY } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { OpenRow } from './open-rows.ts'
import type { Region } from './regions.ts'
import type { SpannedText } from './row-spans.ts'
import type { Interval } from './strips.ts'

// Names of groups of rows are often turned by a quarter, in a column of their own.

/** A table has fewer groups of rows; more turned texts belong to a drawing. */
const mostNames = 40

/** Those inside the rules of a region that stand in no column of the others. */
export function turnedNames(
  { x0, x1, rules }: Region,
  columns: readonly Interval[],
  textRuns: readonly TextRun[],
): TextRun[] {
  const top = rules[0]?.at ?? Infinity
  const bottom = rules.at(-1)?.at ?? -Infinity
  const names = textRuns.filter(
    ({ turn, box }) =>
      turn !== 0 &&
      box.x0 > x0 &&
      box.x1 < x1 &&
      box.y0 > top &&
      box.y1 < bottom &&
      !columns.some(([a, b]) => box.x0 < b && box.x1 > a),
  )
  return names.length > mostNames ? [] : names
}

/** With the columns that such names stand in. */
export function withNameColumns(columns: readonly Interval[], names: readonly TextRun[]): Interval[] {
  const out = [...columns]
  for (const { box } of names) {
    const own = out.findIndex(([a, b]) => box.x0 < b && box.x1 > a)
    const [a, b] = out[own] ?? [box.x0, box.x1]
    out.splice(own < 0 ? out.length : own, own < 0 ? 0 : 1, [Math.min(a, box.x0), Math.max(b, box.x1)])
  }
  return out.sort((a, b) => a[0] - b[0])
}

/** A name spans the rows between the rules that it stands between, as far as no other name is nearer. */
export function placeNames(
  names: readonly TextRun[],
  rows: readonly OpenRow[],
  columns: readonly Interval[],
  { rules }: Region,
): SpannedText[] {
  const blockOf = (y: number): number => rules.filter((r) => r.at < y).length
  const columnOf = ({ box }: TextRun): number => columns.findIndex(([a, b]) => box.x0 < b && box.x1 > a)
  const known = names.map((name) => ({
    name,
    at: centreY(name.box),
    column: columnOf(name),
    block: blockOf(centreY(name.box)),
  }))
  const places = rows.map(({ y0, y1 }) => ({ at: (y0 + y1) / 2, block: blockOf((y0 + y1) / 2) }))
  return known.flatMap((own) => {
    const rivals = known.filter((k) => k.column === own.column && k.block === own.block)
    const isNearest = (at: number): boolean =>
      rivals.every((k) => Math.abs(own.at - at) <= Math.abs(k.at - at))
    const taken = [...rows.keys()].filter((i) => {
      const place = places[i]
      return place?.block === own.block && isNearest(place.at)
    })
    const [row] = taken
    if (row === undefined) return []
    return [{ textRuns: [own.name], from: own.column, to: own.column, row, rows: taken.length }]
  })
}
