import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDocument, xlsx } from '@kiln/test-support/documents.ts'
import { pdfFacts, pdfText } from '@kiln/test-support/pdf-facts.ts'
import { officeFile, pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { workbook } from '@kiln/test-support/workbook.ts'
import { expect, test, vi } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const run = promisify(execFile)

const kiln = useTestConverter()

const toPdf = (content: Buffer | string, from: FormatName) => kiln.convert(content, from, 'pdf')

const a4 = { width: 595, height: 842 }
const landscape = ({ width, height }: { width: number; height: number }) => width > height

const wideRow = (columns: number) => Array.from({ length: columns }, (_, index) => `column ${index + 1}`)
const fitted = async (input: Buffer, from: 'xlsx' | 'ods') => {
  const path = join(kiln.folder, `fitted-${from}.pdf`)
  const options = { sheets: 'fit-width' }
  const { report } = await kiln.converter.convertFile({
    pair: pairOf(from, 'pdf'),
    options,
    input: (to) => writeFile(to, input),
    output: path,
  })
  return { path, report }
}

test('asked for, 30 columns are on one page, in landscape, large enough to read', async () => {
  const rows = [wideRow(30), ...Array.from({ length: 5 }, () => wideRow(30))]
  const { path, report } = await fitted(xlsx({ rows }), 'xlsx')
  const { pages, sizes } = await pdfFacts(path)
  expect(pages).toBe(1)
  expect(sizes.every(landscape)).toBe(true)
  const firstLine = (await pdfText(path)).split('\n').find((line) => line.trim() !== '') ?? ''
  expect(firstLine).toMatch(/column 1\s.*column 30/)
  // 30 columns are 68 cm wide; on this paper they keep more than half of their size.
  expect(sizes[0]?.width).toBeGreaterThan(0.55 * 30 * 64)
  expect(report.warnings).toEqual([])
})

test('asked for, no column is cut across pages, however many rows there are', async () => {
  const rows = Array.from({ length: 200 }, (_, index) =>
    wideRow(12).map((_, column) => `r${index + 1}c${column + 1}`),
  )
  const { path } = await fitted(xlsx({ rows }), 'xlsx')
  const text = await pdfText(path)
  for (const row of [1, 77, 200]) {
    expect(text).toMatch(new RegExp(`r${row}c1 .* r${row}c12$`, 'm'))
  }
})

test('one that is protected, by a password too, is printed as another', async () => {
  for (const password of ['', 'password="CC1A" '])
    expect(
      await pdfText(
        await toPdf(xlsx({ rows: [['Bryum']], after: `<sheetProtection ${password}sheet="1"/>` }), 'xlsx'),
      ),
    ).toContain('Bryum')
})

test('text of a binary workbook is as far from the edge of its cell as in Excel', async () => {
  const path = await toPdf(await officeFile('table.xls'), 'xls')
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
  const left = Number(/<word xMin="([\d.]+)"/.exec(stdout)?.[1])
  // Less a margin of 0.748 inches. The padding that LibreOffice gives it is 2.
  expect(Math.abs(left - 0.748 * 72 - 2.35)).toBeLessThan(0.1)
})

test.each([
  ['at half its size', '', 'scale="50"'],
  ['on one page', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>', 'fitToWidth="1" fitToHeight="1"'],
])('the cells of a sheet with a header begin at the upper margin, %s', async (_, before, setup) => {
  const rows = Array.from({ length: 80 }, (_, index) => [`Bryum${index}`])
  const top = async (header: string) => {
    const after = `<pageMargins left="1" right="1" top="1" bottom="1" header="0.3" footer="0.3"/><pageSetup paperSize="9" ${setup}/>${header}`
    const { stdout } = await run('pdftotext', [
      '-bbox',
      await toPdf(xlsx({ rows, before, after }), 'xlsx'),
      '-',
    ])
    return Number(/yMin="([\d.]+)" [^<>]*>Bryum0</.exec(stdout)?.[1])
  }
  const withHeader = await top('<headerFooter><oddHeader>&amp;CMosses</oddHeader></headerFooter>')
  expect(withHeader).toBeGreaterThan(72)
  expect(withHeader).toBeCloseTo(await top(''), 0)
})

test('a narrow sheet keeps its portrait page and its size', async () => {
  const { pages, sizes } = await pdfFacts(await toPdf(xlsx({ rows: [['a', 'b', 'c']] }), 'xlsx'))
  expect(pages).toBe(1)
  expect(sizes.some(landscape)).toBe(false)
})

test('a wide sheet that is fitted does not turn its narrow neighbour, also where both share a page style', async () => {
  const cells = (texts: string[]) =>
    `<table:table-row>${texts.map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const body =
    `<table:table table:name="Narrow">${cells(['narrow'])}</table:table>` +
    `<table:table table:name="Wide">${cells(wideRow(20))}</table:table>`
  const { path } = await fitted(openDocument('spreadsheet', body), 'ods')
  expect((await pdfFacts(path)).sizes.map(landscape)).toEqual([false, true])
})

test('what the author set to fit one page wide stays as it is', async () => {
  const sheet = {
    rows: [wideRow(12)],
    before: '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    after: '<pageSetup paperSize="9" orientation="portrait" fitToWidth="1" fitToHeight="0"/>',
  }
  const { pages, sizes } = await pdfFacts(await toPdf(xlsx(sheet), 'xlsx'))
  expect(pages).toBe(1)
  expect(Math.round(sizes[0]?.width ?? 0)).toBe(a4.width)
})

test.each([
  ['with a print set-up', '<pageSetup paperSize="9" orientation="portrait"/>'],
  ['without one', ''],
])('a wide sheet %s continues on another page, and the report suggests the option', async (_, after) => {
  const path = join(kiln.folder, 'wide.pdf')
  const { report } = await kiln.converter.convertFile({
    pair: pairOf('xlsx', 'pdf'),
    input: (to) => writeFile(to, xlsx({ rows: [wideRow(12)], after })),
    output: path,
  })
  const { pages, sizes } = await pdfFacts(path)
  expect(pages).toBe(2)
  expect(sizes.some(landscape)).toBe(false)
  expect(await pdfText(path)).toContain('column 12')
  expect(report.warnings.join()).toMatch(/^One sheet is wider than its page.*`fit-width`/)
})

test('a table of 30 columns from csv stands on one page', async () => {
  const { pages, sizes } = await pdfFacts(await toPdf(`${wideRow(30).join(',')}\n`, 'csv'))
  expect(pages).toBe(1)
  expect(sizes.every(landscape)).toBe(true)
})

test('a heading that is not scaled with its sheet has its own size', async () => {
  const heightOf = async (attribute: string) => {
    const after =
      '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup scale="53"/>' +
      `<headerFooter${attribute}><oddHeader>Moss</oddHeader></headerFooter>`
    const pdf = await toPdf(workbook({ rows: [['Bryum']], after }), 'xlsx')
    const { stdout } = await run('pdftotext', ['-bbox', pdf, '-'])
    const [, top, bottom] = /yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">Moss</.exec(stdout) ?? []
    return Number(bottom) - Number(top)
  }
  expect((await heightOf('')) / (await heightOf(' scaleWithDoc="0"'))).toBeCloseTo(0.53, 1)
})
