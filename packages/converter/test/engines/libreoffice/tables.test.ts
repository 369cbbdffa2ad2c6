import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { docxWith } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Tables of Word documents, converted for real. Text is in Arial, 10 points; cells have Word's own padding of 5.4 points.

const run = promisify(execFile)

const kiln = useTestConverter()

const margin = 72
const padding = 5.4

interface Table {
  properties?: string
  grid: readonly number[]
  rows: readonly (readonly string[])[]
  cell?: (column: number) => string
}

const text = (letters: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="20"/></w:rPr><w:t>${letters}</w:t></w:r></w:p>`

const tableOf = ({ properties = '<w:tblW w:w="0" w:type="auto"/>', grid, rows, cell = () => '' }: Table) => {
  const columns = grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
  const cells = (row: readonly string[]) =>
    row.map((letters, column) => `<w:tc><w:tcPr>${cell(column)}</w:tcPr>${text(letters)}</w:tc>`).join('')
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${columns}</w:tblGrid>${rows
    .map((row) => `<w:tr>${cells(row)}</w:tr>`)
    .join('')}</w:tbl><w:p/>`
}

const settings = (mode: number) => ({
  relationships: [{ id: 's1', type: 'settings', target: 'settings.xml' }],
  entries: [
    {
      name: 'word/settings.xml',
      content:
        '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:compat>' +
        (mode === 0
          ? ''
          : `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${mode}"/>`) +
        '</w:compat></w:settings>',
    },
  ],
})

const section =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'

/** The left edge of each word. */
async function lefts(table: string, mode = 15): Promise<Map<string, number>> {
  const pdf = await kiln.convert(docxWith(table + section, settings(mode)), 'docx', 'pdf')
  const { stdout } = await run('pdftotext', ['-bbox', pdf, '-'])
  const words = stdout.matchAll(/<word xMin="([\d.]+)".*?>(.*?)<\/word>/g)
  return new Map(Array.from(words, ([, left, word]) => [word ?? '', Number(left)]))
}

test('a column is widened for a word that Word does not break', async () => {
  const found = await lefts(
    tableOf({
      properties: '<w:tblW w:w="9000" w:type="dxa"/>',
      grid: [1000, 8000],
      rows: [['/api/auth/login', 'Second']],
      cell: (column) => `<w:tcW w:w="${[1000, 8000][column]}" w:type="dxa"/>`,
    }),
  )
  // Widths of Arial in thousandths of an em: / a p i / a u t h / l o g i n
  const word = (278 + 556 + 556 + 222 + 278 + 556 + 556 + 278 + 556 + 278 + 222 + 556 + 556 + 222 + 556) / 100
  expect([...found.keys()]).toContain('/api/auth/login')
  expect(found.get('Second')).toBeCloseTo(margin + padding + word + 2 * padding, 0)
})

test('the widths of cells count, not those of the grid', async () => {
  const found = await lefts(
    tableOf({
      grid: [4500, 4500],
      rows: [['First', 'Second']],
      cell: (column) => `<w:tcW w:w="${[2000, 7000][column]}" w:type="dxa"/>`,
    }),
  )
  expect(found.get('Second')).toBeCloseTo(margin + 100 + padding, 0)
})

test('without any widths columns are as wide as their text', async () => {
  const found = await lefts(
    tableOf({
      grid: [],
      rows: [
        ['no', 'Second', 'Third'],
        ['mmmmm', 'x', 'y'],
      ],
    }),
  )
  expect(found.get('Second')).toBeCloseTo(margin + padding + 5 * 8.33 + 2 * padding, 0)
  // S e c o n d
  const second = (667 + 556 + 500 + 556 + 556 + 556) / 100
  expect((found.get('Third') ?? 0) - (found.get('Second') ?? 0)).toBeCloseTo(second + 2 * padding, 0)
})

test('a fixed layout stays', async () => {
  const found = await lefts(
    tableOf({
      properties: '<w:tblW w:w="9000" w:type="dxa"/><w:tblLayout w:type="fixed"/>',
      grid: [1000, 8000],
      rows: [['/api/auth/login', 'Second']],
      cell: (column) => `<w:tcW w:w="${[1000, 8000][column]}" w:type="dxa"/>`,
    }),
  )
  expect(found.get('Second')).toBeCloseTo(margin + 50 + padding, 0)
})

test('tables of Word 2007, which names no version, begin before the margin', async () => {
  const table = tableOf({
    grid: [3000, 3000],
    rows: [['First', 'Second']],
    cell: () => '<w:tcW w:w="3000" w:type="dxa"/>',
  })
  expect((await lefts(table, 0)).get('First')).toBeCloseTo(margin, 0)
  expect((await lefts(table, 15)).get('First')).toBeCloseTo(margin + padding, 0)
})
