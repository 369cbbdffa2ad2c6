import type { PlainTable } from './found-tables.ts'

// CSV by RFC 4180 in UTF-8: the tables one after the other, an empty line between two. A merged cell stands in its
// first place, and its other places are empty.
//
// Programs for sheets run what begins like a formula, and a PDF may come from anybody. Such a text gets an apostrophe
// before it, which they take for "this is text". Plain numbers with a sign stay as they are.

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

/** Some programs read the wide forms of East Asia like the narrow ones. */
export const startsFormula = (text: string): boolean =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[-+]?[\d\s.,%\p{Sc}]*$/u.test(text)
