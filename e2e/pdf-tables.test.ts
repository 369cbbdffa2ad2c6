import { onePage } from '@kiln/test-support/pdf-file.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { runWith } from './options.ts'
import { requirement } from './requirements.ts'

const client = someClient()

/** A table of three ruled rows under a heading. */
const cells = [
  ['Name', 'Price'],
  ['Bowl', '1,234.50'],
  ['=1+1', '12.5'],
]
const lines = [
  ...[0, 1, 2, 3].map((row) => `72 ${700 - 30 * row} m 372 ${700 - 30 * row} l S`),
  ...[72, 222, 372].map((x) => `${x} 700 m ${x} 610 l S`),
]
const texts = cells.flatMap((row, i) =>
  row.map((text, j) => `BT /F1 12 Tf ${80 + 150 * j} ${680 - 30 * i} Td (${text}) Tj ET`),
)
const page = (...content: string[]) => new Uint8Array(onePage(content.join('\n')))
const priceList = page('BT /F1 24 Tf 72 730 Td (Prices of the year) Tj ET', ...lines, ...texts)

test(`${requirement('pairs.pdf-tables')} the tables of a PDF become a workbook and CSV`, async () => {
  const book = unzip(await client.convert('pdf-to-xlsx', priceList))
  expect(book.get('xl/workbook.xml')?.toString()).toContain('<sheet name="Page 1"')
  const sheet = book.get('xl/worksheets/sheet1.xml')?.toString() ?? ''
  expect(sheet).toMatch(/r="B2" s="\d+"><v>1234.5<\/v>/)
  expect(sheet).toMatch(/r="A3" s="\d+" t="inlineStr"><is><t [^>]*>=1\+1</)
  expect(sheet).not.toContain('Prices of the year')
  const csv = Buffer.from(await client.convert('pdf-to-csv', priceList)).toString()
  expect(csv).toBe('Name,Price\r\nBowl,"1,234.50"\r\n\'=1+1,12.5\r\n')
  const without = await runWith(client, 'pdf-to-csv', page('BT /F1 24 Tf 72 720 Td (Words) Tj ET'), {})
  expect(without.error).toMatch(/^unsupported: No table was found in the PDF/)
  for (const pair of ['pdf-to-txt', 'pdf-to-md'])
    expect((await runWith(client, pair, page(''), {})).error).toMatch(/^unsupported: The PDF holds no text/)
})

test(`${requirement('pairs.pdf-to-json')} a PDF becomes JSON`, async () => {
  const json = JSON.parse(Buffer.from(await client.convert('pdf-to-json', priceList)).toString())
  expect(json.pages).toHaveLength(1)
  expect(json.blocks).toContainEqual(
    expect.objectContaining({ page: 1, role: 'heading', text: 'Prices of the year' }),
  )
  const table = json.blocks.find(({ role }: { role: string }) => role === 'table')
  expect(table).toMatchObject({ rows: 3, columns: 2 })
  expect(table.cells).toContainEqual(expect.objectContaining({ row: 1, column: 0, text: 'Bowl' }))
  const [left, top, right, bottom] = table.bbox
  expect(left < right && top < bottom).toBe(true)
})
