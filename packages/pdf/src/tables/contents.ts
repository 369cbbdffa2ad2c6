import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import { minPattern, surePattern } from '../tolerances.ts'
import type { FoundTable } from './table.ts'

/** Maximum page number of the first entry of a table of contents. */
const latestStart = 20

const pageOf = ({ textRuns }: LineRow): number =>
  Number(/^(?:\p{L}{1,6}\.? )?(\d{1,3})$/u.exec(textRuns.at(-1)?.text.trim() ?? '')?.[1] ?? Number.NaN)

/**
 * The number of rows of a table of contents at the start of `rows`: titles, possibly with section numbers, and
 * non-decreasing page numbers. Text may follow it only after dot leaders: a table may begin with increasing numbers.
 */
export function countContents(rows: readonly LineRow[]): number {
  let [count, page] = [0, 1]
  const entries: LineRow[] = []
  for (const [i, row] of rows.entries()) {
    if (row.textRuns.length < 2) continue
    const next = pageOf(row)
    if (!(next >= page) || !hasTitle(row)) break
    page = next
    count = i + 1
    entries.push(row)
  }
  const pages = entries.map(pageOf)
  const isSure =
    entries.length >= surePattern && new Set(pages).size >= minPattern && (pages[0] ?? 0) <= latestStart
  const isAll = rows.slice(count).every(({ textRuns }) => textRuns.length < 2)
  if (!isSure || !(isAll || entries.filter(hasLeader).length >= minPattern)) return 0
  return isAll ? rows.length : count
}

/** Rules may lead to the page numbers. */
export function isContents(table: FoundTable): boolean {
  const rows = rowsOf(table.cells.flatMap((c) => c.textRuns))
  return countContents(rows) === rows.length
}

const hasTitle = ({ textRuns: [first, second, third] }: LineRow): boolean =>
  third ? /^[\dA-Z.]+$/.test(first?.text.trim() ?? '') && hasWord(second?.text) : hasWord(first?.text)

const hasWord = (text = ''): boolean => /\p{L}{2}/u.test(text)
const hasLeader = ({ textRuns }: LineRow): boolean => textRuns.some((p) => /(?:[.·_…] ?){4,}/.test(p.text))
