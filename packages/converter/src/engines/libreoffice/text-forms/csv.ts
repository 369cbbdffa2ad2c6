import { plainText, type Row } from './content.ts'
import { refuseTooLarge } from './grid.ts'

// CSV by RFC 4180: every line has the same number of fields, with cells at their positions in the sheet.

export function* csvLines(rows: readonly Row[]): Generator<string> {
  const width = rows.reduce((most, { cells }) => Math.max(most, (cells.at(-1)?.column ?? 0) + 1), 1)
  refuseTooLarge((rows.at(-1)?.row ?? 0) + 1, width)
  const empty = `${','.repeat(width - 1)}\r\n`
  let next = 0
  for (const { row, cells } of rows) {
    for (; next < row; next += 1) yield empty
    const fields = Array.from({ length: width }, () => '')
    for (const { column, text } of cells) fields[column] = field(plainText(text))
    yield `${fields.join(',')}\r\n`
    next = row + 1
  }
}

const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
