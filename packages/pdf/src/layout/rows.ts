import { elementAt } from '../element-at.ts'
import { lineTop } from '../font-metrics.ts'
import { type Box, firstFrom } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { repeated, sameLine } from '../lines/line-rows.ts'
import type { Picture } from '../read/page.ts'
import type { FoundTable } from '../tables/table.ts'
import { rounding } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'

export interface Loose {
  box: Box
  textRun?: TextRun
  table?: FoundTable
  picture?: Picture
}

export interface Content {
  textRuns?: readonly TextRun[]
  tables?: readonly FoundTable[]
  pictures?: readonly Picture[]
}

export const looseOf = ({ textRuns = [], tables = [], pictures = [] }: Content): Loose[] => [
  ...textRuns.map((textRun) => ({ box: textRun.box, textRun })),
  ...tables.map((table) => ({ box: table.box, table })),
  ...pictures.map((picture) => ({ box: picture.box, picture })),
]

export const textRunsIn = (items: readonly Loose[]): TextRun[] => items.flatMap((i) => i.textRun ?? [])

export interface Row {
  y0: number
  y1: number
  items: Loose[]
}

/** Lines of columns need not share baselines: their middles are within half of the usual pitch, in ems. */
const sameRow = 0.65

/** Groups items of the same height into rows, top to bottom. */
export function rowsOf(items: readonly Loose[]): Row[] {
  const sorted = [...items].sort((a, b) => middle(a) - middle(b))
  const rows: Row[] = []
  for (const item of sorted) {
    const last = rows.at(-1)
    const tall = item.textRun ? item.textRun.size : item.box.y1 - item.box.y0
    if (
      last &&
      item.textRun &&
      last.items.every((i) => i.textRun) &&
      middle(item) - middle(elementAt(last.items, 0)) < sameRow * tall
    ) {
      last.items.push(item)
      last.y0 = Math.min(last.y0, item.box.y0)
      last.y1 = Math.max(last.y1, item.box.y1)
    } else rows.push({ y0: item.box.y0, y1: item.box.y1, items: [item] })
  }
  return rows
}

const middle = (i: Loose): number =>
  i.textRun ? i.textRun.baseline - middleOfLetters * i.textRun.size : (i.box.y0 + i.box.y1) / 2

/** Share of the texts that are on a baseline of one of the others, or repeatedly begin at the same height. */
export function inStep(texts: readonly TextRun[], others: readonly TextRun[]): number {
  const onBaseline = besides(texts, others, sameLine, (p) => p.baseline)
  const atTop = besides(texts, others, rounding, lineTop).map(({ item, beside }) => ({
    item,
    lefts: [item.box.x0, beside.box.x0],
  }))
  return new Set([...onBaseline.map((p) => p.item), ...repeated(atTop)]).size / texts.length
}

function besides(
  texts: readonly TextRun[],
  others: readonly TextRun[],
  tolerance: number,
  positionOf: (i: TextRun) => number,
): { item: TextRun; beside: TextRun }[] {
  const sorted = others.map((beside) => ({ beside, at: positionOf(beside) })).sort((a, b) => a.at - b.at)
  const positions = sorted.map((s) => s.at)
  return texts.flatMap((item) => {
    const at = positionOf(item)
    const next = sorted[firstFrom(positions, at - tolerance)]
    return next && Math.abs(next.at - at) < tolerance ? [{ item, beside: next.beside }] : []
  })
}
