import type { Table } from '../blocks/block.ts'
import { ConversionFailure } from '../failure.ts'
import type { WordDocument } from '../sections/section.ts'
import { textOfBlocks } from './content.ts'

// The tables of a document as plain cells, for XLSX and CSV. A box around a text is drawn like a table of one cell but
// is not a table; nor is a row of a single line.

export interface PlainCell {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  text: string
}

export interface PlainTable {
  /** Page where it begins, counted from 0 among the pages that were read. */
  page: number
  rows: number
  columns: number
  headerRows: number
  /** The first column is the rightmost. */
  rtl: boolean
  /** In points. */
  widths: readonly number[]
  /** Row by row, without overlaps. */
  cells: readonly PlainCell[]
}

export function findTables(document: WordDocument): PlainTable[] {
  const tables = document.sections
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is Table => block.kind === 'table')
    .map(plainTable)
    .filter(({ cells }) => new Set(cells.map(({ row }) => row)).size > 1 && hasTwoColumns(cells))
  if (tables.length === 0)
    throw new ConversionFailure(
      'unsupported',
      'No table was found in the PDF. Convert it to Word, Markdown or HTML to get its text.',
    )
  return tables
}

const hasTwoColumns = (cells: readonly PlainCell[]): boolean =>
  new Set(cells.map(({ column }) => column)).size > 1

/** Cells without text are omitted. */
function plainTable(table: Table): PlainTable {
  const { rows, columns } = table
  const taken = new Set<string>()
  const cells: PlainCell[] = []
  for (const [row, { cells: own }] of rows.entries())
    for (const cell of own) {
      const text = cell.continued ? '' : textOfBlocks(cell.blocks, '\n', () => '')
      if (text === '' || taken.has(`${row}/${cell.column}`)) continue
      const rowSpan = Math.min(cell.rowSpan, rows.length - row)
      const columnSpan = Math.min(cell.columnSpan, columns.length - cell.column)
      const places = placesOf(row, cell.column, rowSpan, columnSpan)
      // A sheet with overlapping merged cells is damaged.
      const isFree = places.every((place) => !taken.has(place))
      for (const place of isFree ? places : places.slice(0, 1)) taken.add(place)
      cells.push({
        row,
        column: cell.column,
        text,
        ...(isFree ? { rowSpan, columnSpan } : { rowSpan: 1, columnSpan: 1 }),
      })
    }
  const body = rows.findIndex(({ header }) => !header)
  return {
    page: table.page,
    rows: rows.length,
    columns: columns.length,
    widths: columns,
    cells,
    headerRows: body === -1 ? rows.length : body,
    rtl: table.rtl ?? false,
  }
}

const placesOf = (row: number, column: number, rowSpan: number, columnSpan: number): string[] =>
  Array.from(
    { length: rowSpan * columnSpan },
    (_, i) => `${row + Math.floor(i / columnSpan)}/${column + (i % columnSpan)}`,
  )
