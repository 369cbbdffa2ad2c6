import type { LineRow } from '../lines/line-rows.ts'
import { minPattern, surePattern } from '../tolerances.ts'

/** Maximum page number of the first entry of a table of contents. */
const latestStart = 20

/** Whether rows are titles, possibly with section numbers, and non-decreasing page numbers. */
export function isContents(rows: readonly LineRow[]): boolean {
  const entries = rows.filter((row) => row.textRuns.length > 1)
  const numbers = entries.map(({ textRuns }) =>
    Number(/^(?:\p{L}{1,6}\.? )?(\d{1,3})$/u.exec(textRuns.at(-1)?.text.trim() ?? '')?.[1] ?? Number.NaN),
  )
  return (
    entries.length >= surePattern &&
    new Set(numbers).size >= minPattern &&
    (numbers[0] ?? 0) <= latestStart &&
    numbers.every((n, i) => n >= (numbers[i - 1] ?? 1)) &&
    entries.every(({ textRuns: [first, second, third] }) =>
      third ? /^[\dA-Z.]+$/.test(first?.text.trim() ?? '') && hasWord(second?.text) : hasWord(first?.text),
    )
  )
}

const hasWord = (text = ''): boolean => /\p{L}{2}/u.test(text)
