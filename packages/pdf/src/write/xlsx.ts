import { numberReader } from './cell-numbers.ts'
import { startsFormula } from './csv.ts'
import type { PlainCell, PlainTable } from './found-tables.ts'
import { declaration, escapeXml } from './xml.ts'
import { zip } from './zip.ts'

// A workbook with one sheet per table, named after the page on which it begins. Every text is written as a string,
// never as a formula; one that begins like a formula is also marked, so that it stays text when it is edited.

/** Excel reports a file with a longer text as damaged. */
const longestText = 32_767
/** Width of a digit in points, the unit of column widths. */
const digitWidth = 5.6

export function writeXlsx(tables: readonly PlainTable[], pageName: (page: number) => number): Uint8Array {
  const names = sheetNames(tables.map(({ page }) => pageName(page)))
  const styles = styleTable()
  const readNumber = numberReader(tables.flatMap(({ cells }) => cells.map(({ text }) => text)))
  const cellXml = (cell: PlainCell, isHeader: boolean): string => {
    const number = readNumber(cell.text)
    const at = `r="${place(cell.row, cell.column)}"`
    if (number)
      return `<c ${at} s="${styles.add(isHeader, { format: number.format })}"><v>${number.value}</v></c>`
    const text = cell.text.slice(0, longestText)
    const style = styles.add(isHeader, { wraps: text.includes('\n'), quoted: startsFormula(text) })
    return `<c ${at} s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
  }
  const sheets = tables.map((table) => sheetXml(table, cellXml))
  const files: [string, string][] = [
    ['[Content_Types].xml', contentTypes(sheets.length)],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(names)],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', styles.xml()],
    ...sheets.map((xml, i): [string, string] => [`xl/worksheets/sheet${i + 1}.xml`, xml]),
  ]
  return zip(files.map(([name, xml]) => ({ name, data: Buffer.from(declaration + xml, 'utf8') })))
}

/** `Page 3`, and `Page 3 (2)` for the next table that begins there. */
function sheetNames(pages: readonly number[]): string[] {
  const used = new Map<number, number>()
  return pages.map((page) => {
    const count = (used.get(page) ?? 0) + 1
    used.set(page, count)
    return count === 1 ? `Page ${page}` : `Page ${page} (${count})`
  })
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const columnName = (column: number): string =>
  (column >= letters.length ? columnName(Math.floor(column / letters.length) - 1) : '') +
  letters.charAt(column % letters.length)
const place = (row: number, column: number): string => `${columnName(column)}${row + 1}`

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const fromRight = '<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews>'

function sheetXml(table: PlainTable, cellXml: (cell: PlainCell, isHeader: boolean) => string): string {
  const widths = table.widths.map(
    (points, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${Math.max(4, points / digitWidth).toFixed(1)}" customWidth="1"/>`,
  )
  const rows = Map.groupBy(table.cells, ({ row }) => row)
  const rowsXml = [...rows].map(
    ([row, cells]) =>
      `<row r="${row + 1}">${cells
        .toSorted((a, b) => a.column - b.column)
        .map((cell) => cellXml(cell, row < table.headerRows))
        .join('')}</row>`,
  )
  const merged = table.cells
    .filter(({ rowSpan, columnSpan }) => rowSpan > 1 || columnSpan > 1)
    .map(({ row, column, rowSpan, columnSpan }) => {
      const last = place(row + rowSpan - 1, column + columnSpan - 1)
      return `<mergeCell ref="${place(row, column)}:${last}"/>`
    })
  return (
    `<worksheet ${main}>${table.rtl ? fromRight : ''}<cols>${widths.join('')}</cols><sheetData>${rowsXml.join('')}</sheetData>` +
    `${merged.length > 0 ? `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>` : ''}</worksheet>`
  )
}

interface Look {
  format?: string
  wraps?: boolean
  quoted?: boolean
}

/** The cell styles in use, without duplicates. */
function styleTable(): { add(isHeader: boolean, look: Look): number; xml(): string } {
  const formats: string[] = []
  const looks = ['<xf/>']
  const firstOwnFormat = 164
  const idOf = <T>(list: T[], item: T): number =>
    list.includes(item) ? list.indexOf(item) : list.push(item) - 1
  return {
    add(isHeader, { format, wraps = false, quoted = false }) {
      const id = format === undefined ? 0 : firstOwnFormat + idOf(formats, format)
      const look =
        `<xf numFmtId="${id}" applyNumberFormat="1" fontId="${isHeader ? 1 : 0}" applyFont="1"` +
        `${quoted ? ' quotePrefix="1"' : ''} applyAlignment="1"><alignment vertical="top"${wraps ? ' wrapText="1"' : ''}/></xf>`
      return idOf(looks, look)
    },
    xml: () =>
      `<styleSheet ${main}><numFmts count="${formats.length}">${formats
        .map((code, i) => `<numFmt numFmtId="${firstOwnFormat + i}" formatCode="${escapeXml(code)}"/>`)
        .join('')}</numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
      `<cellXfs count="${looks.length}">${looks.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  }
}

const workbookXml = (names: readonly string[]): string =>
  `<workbook ${main} xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${names
    .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`

const relations = (rows: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows
    .map(
      ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const contentTypes = (sheets: number): string => {
  const type = (name: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`
  const parts = Array.from({ length: sheets }, (_, i) => [`worksheets/sheet${i + 1}`, 'worksheet'])
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${[
    ...[['workbook', 'sheet.main'], ['styles', 'styles'], ...parts].map(
      ([name, kind]) => `<Override PartName="/xl/${name}.xml" ContentType="${type(kind as string)}"/>`,
    ),
  ].join('')}</Types>`
}
