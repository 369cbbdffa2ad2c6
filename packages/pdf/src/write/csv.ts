import type { PlainTable } from './found-tables.ts'

// CSV by RFC 4180 in UTF-8: the tables one after the other, separated by an empty line. A merged cell is written at its
// first position; its other positions are empty.
//
// Spreadsheet programs execute text that begins like a formula, and a PDF may come from an untrusted source. Such text
// is prefixed with an apostrophe, which marks it as text. Plain numbers with a sign stay unchanged.

export const writeCsv = (tables: readonly PlainTable[]): string => tables.map(tableCsv).join('\r\n')

const tableCsv = ({ rows, columns, cells }: PlainTable): string => {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''))
  for (const { row, column, text } of cells) (grid[row] as string[])[column] = field(text)
  return grid.map((row) => `${row.join(',')}\r\n`).join('')
}

function field(text: string): string {
  const safe = startsFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Some programs treat full-width characters like the ASCII ones. */
export const startsFormula = (text: string): boolean =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[-+]?[\d\s.,%\p{Sc}]*$/u.test(text)
