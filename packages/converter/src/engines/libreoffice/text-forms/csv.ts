import { readFile } from 'node:fs/promises'
import { failed } from '../../../failure.ts'
import { type CsvDialect, dialectOf } from '../csv-dialect.ts'
import { type Content, plainText, type Row } from './content.ts'
import { refuseTooLarge } from './grid.ts'
import { openTable } from './open-table.ts'

// Parses a table from CSV in UTF-8. Every field is text: 007 stays 007.

const sampleLength = 256 * 1024

export async function readCsv(path: string): Promise<Content> {
  const text = await readFile(path, 'utf8')
  const { separator } = dialectOf(text.slice(0, sampleLength))
  const table = openTable()
  for (const fields of records(text.replace(/^sep=.\r?\n/i, ''), separator)) {
    table.startRow(1)
    for (const field of fields) {
      table.startCell({ repeated: 1, columns: 1, rows: 1, isCovered: false })
      table.addLine([field])
      table.endCell()
    }
    table.endRow()
  }
  if (table.rows.length === 0)
    throw failed.unsupported('The file holds no table: all of its fields are empty.')
  const part = {
    number: 1,
    title: '',
    isHidden: false,
    blocks: [{ kind: 'table' as const, rows: table.rows }],
    notes: [],
  }
  return { parts: [part], unshownPictures: 0 }
}

/** A quoted field may contain separators, line ends and doubled quotes. */
export function* records(text: string, separator: CsvDialect['separator']): Generator<string[]> {
  const plainEnd = new RegExp(`[\\r\\n${separator.replace(/[\\\]^-]/, '\\$&')}]`, 'g')
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        const end = quote === -1 ? text.length : quote
        field += text.slice(at, end)
        at = end + 1
        if (text[at] !== '"' || quote === -1) break
        field += '"'
        at += 1
      }
    }
    // Text after a closing quote belongs to the field too.
    plainEnd.lastIndex = at
    const end = plainEnd.exec(text)?.index ?? text.length
    fields.push(field + text.slice(at, end))
    at = end + 1
    if (text[end] === separator) {
      if (at >= text.length) fields.push('')
      continue
    }
    if (text[end] === '\r' && text[at] === '\n') at += 1
    yield fields
    fields = []
  }
  if (fields.length > 0) yield fields
}

/** CSV by RFC 4180: every line has the same number of fields, with cells at their positions in the sheet. */
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
