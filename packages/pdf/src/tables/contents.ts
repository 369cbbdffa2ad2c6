import type { LineRow } from '../lines/line-rows.ts'
import { minPattern, surePattern } from '../tolerances.ts'

/** A table of contents has so many entries and pages at least, and begins on one of the first. */
const latestStart = 20

/** Whether rows are titles, perhaps with section numbers, and page numbers that never fall. */
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
