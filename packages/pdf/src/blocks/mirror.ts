import { cellAround } from '../read/page.ts'
import type { FoundCell, FoundTable } from '../tables/table.ts'
import { majority, sameIndent } from '../tolerances.ts'
import type { Cell, Table } from './block.ts'
import type { Frame } from './paragraphs.ts'

// Arabic and Hebrew tables begin at the right: the first column is the rightmost.

/** Whether most of its texts are right-to-left; numbers have no direction. */
function isFromRight(cells: readonly FoundCell[]): boolean {
  const textRuns = cells.flatMap((c) => c.textRuns)
  const fromRight = textRuns.filter((p) => p.rtl).length
  return fromRight > textRuns.filter((p) => !p.rtl && /\p{L}/u.test(p.text)).length
}

/** Positive if the structure tree has most cells from left to right, negative if from right to left. */
function orderOfTags(cells: readonly FoundCell[]): number {
  const places = new Map(cells.map((c) => [`${c.row} ${c.column}`, cellAround(c.textRuns[0]?.tag)?.at]))
  return cells.reduce((sum, { row, column, columnSpan }) => {
    const [own, next] = [column, column + columnSpan].map((c) => places.get(`${row} ${c}`))
    return own === undefined || next === undefined ? sum : sum + Math.sign(next - own)
  }, 0)
}

/** Positive if the leftmost column has words and the rightmost numbers, negative if the reverse. */
function orderOfLabels(cells: readonly FoundCell[], columns: number): number {
  const isOfWords = (own: readonly FoundCell[]): number => {
    const texts = own.flatMap((c) => c.textRuns)
    return Number(texts.filter((p) => /\p{L}/u.test(p.text)).length > majority * texts.length)
  }
  const last = cells.filter((c) => c.column + c.columnSpan === columns)
  return isOfWords(cells.filter((c) => c.column === 0)) - isOfWords(last)
}

/** A left-to-right table begins at the left edge of its column, regardless of script. By the tags, then the position of labels and numbers, then the position of the table. */
export function beginsAtRight({ cells, xs }: FoundTable, frame: Frame): boolean {
  if (!isFromRight(cells)) return false
  const order = orderOfTags(cells) || orderOfLabels(cells, xs.length - 1)
  if (order !== 0) return order < 0
  const left = Math.max(0, (xs[0] as number) - frame.x0)
  return frame.x1 - (xs.at(-1) as number) <= left + sameIndent
}

/** `right` is the distance between the table and the right edge of its column. */
export function fromTheRight(table: Table, right: number): Table {
  const mirrored = (cell: Cell): Cell => {
    const { left: first, right: last, ...borders } = cell.borders
    return {
      ...cell,
      column: table.columns.length - cell.column - cell.columnSpan,
      borders: { ...borders, ...(last ? { left: last } : {}), ...(first ? { right: first } : {}) },
      padding: { left: cell.padding.right, right: cell.padding.left },
    }
  }
  return {
    ...table,
    left: right,
    columns: table.columns.toReversed(),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(mirrored).reverse() })),
    rtl: true,
  }
}
