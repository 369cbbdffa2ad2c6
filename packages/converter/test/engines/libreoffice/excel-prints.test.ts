import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { officeFile, pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { workbook } from '@kiln/test-support/workbook.ts'
import { expect, test, vi } from 'vitest'

// Geometry and looks of sheets in the PDF, as Excel for Windows prints them.

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const run = promisify(execFile)

const kiln = useTestConverter()

const toPdf = (content: Buffer) => kiln.convert(content, 'xlsx', 'pdf')

/** Words by their text, in points from the corner of the page. */
async function wordsIn(pdf: string): Promise<Map<string, { left: number; bottom: number }>> {
  const { stdout } = await run('pdftotext', ['-bbox', pdf, '-'])
  const words = stdout.matchAll(/<word xMin="([\d.]+)" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</g)
  return new Map(
    Array.from(words, ([, left, bottom, text = '']) => [
      text,
      { left: Number(left), bottom: Number(bottom) },
    ]),
  )
}

// 30 points are printed as 29.04 with Calibri 11. LibreOffice reads whole pixels of a file by Microsoft: 28.5.
test.each(['Microsoft Excel', 'Microsoft Macintosh Excel', 'Other'])(
  'rows of a workbook by %s have the height that Excel prints',
  async (application) => {
    const rows = Array.from(
      { length: 21 },
      (_, index) =>
        `<row r="${index + 1}" ht="30"><c r="A${index + 1}" t="inlineStr"><is><t>Bryum${index}</t></is></c></row>`,
    )
    const words = await wordsIn(await toPdf(workbook({ rows: [], cells: rows.join('') }, { application })))
    const height = ((words.get('Bryum20')?.bottom ?? 0) - (words.get('Bryum0')?.bottom ?? 0)) / 20
    expect(height).toBeCloseTo(29.04, 1)
  },
)

test('cells of an xls file with a heading begin at the upper margin', async () => {
  const words = await wordsIn(await kiln.convert(await officeFile('headings.xls'), 'xls', 'pdf'))
  // A margin of 54 points and a row of 15.
  expect(words.get('Bryum')?.bottom).toBeGreaterThan(64)
})

/** Colours of the first page, in hexadecimal, at a place in points. */
async function coloursOf(pdf: string): Promise<(left: number, top: number) => string> {
  const { stdout } = await run('pdftoppm', ['-r', '72', '-singlefile', pdf], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 * 1024,
  })
  const [header = '', width] = /^P6\s+(\d+)\s+\d+\s+255\s/.exec(stdout.toString('latin1', 0, 40)) ?? []
  return (left, top) => {
    const at = header.length + 3 * (Math.round(top) * Number(width) + Math.round(left))
    return stdout.toString('hex', at, at + 3)
  }
}

test('a table has the fills of its style, unless its cells have their own', async () => {
  const table =
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Mosses" displayName="Mosses" ' +
    'ref="A1:B4"><tableColumns count="2"><tableColumn id="1" name="Bryum"/><tableColumn id="2" name="Pohlia"/>' +
    '</tableColumns><tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>'
  const sheet = {
    before:
      '<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="2" width="15" customWidth="1"/></cols>',
    rows: [['Bryum', 'Pohlia'], ['argenteum', 'nutans'], ['capillare']],
    cells: '<row r="4"><c r="A4" s="1" t="inlineStr"><is><t>caespiticium</t></is></c></row>',
    after:
      '<tableParts xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" count="1">' +
      '<tablePart r:id="t1"/></tableParts>',
  }
  const pdf = await toPdf(
    workbook(sheet, {
      fills: '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill>',
      formats: '<xf numFmtId="0" fontId="0" fillId="2" borderId="0" xfId="0" applyFill="1"/>',
      parts: [
        {
          id: 't1',
          type: 'table',
          target: '../tables/table1.xml',
          name: 'xl/tables/table1.xml',
          content: table,
        },
      ],
    }),
  )
  const words = await wordsIn(pdf)
  const colourAt = await coloursOf(pdf)
  // At the right edge of the column, clear of its text.
  const beside = (word: string, column: number) =>
    colourAt((words.get('Bryum')?.left ?? 0) + 78 + 84.6 * column, (words.get(word)?.bottom ?? 0) - 5)
  expect([
    beside('Bryum', 0),
    beside('argenteum', 1),
    beside('capillare', 0),
    beside('capillare', 1),
  ]).toEqual(['4f81bd', 'dce6f2', 'ffffff', 'ffffff'])
  expect([beside('caespiticium', 0), beside('caespiticium', 1)]).toEqual(['ffff00', 'dce6f2'])
})

test('text that is longer than its cell continues on the page to the right', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `Bryum${index}`)
  const pdf = await toPdf(workbook({ rows: [[words.join(' ')], ['Pohlia']] }))
  const { stdout } = await run('pdftotext', ['-f', '2', '-l', '2', pdf, '-'])
  expect(stdout).toContain('Bryum20')
})

test.each([
  ['Calibri', 11, 14.52],
  ['Arial', 10, 12.72],
])('lines of a cell in %s are as far apart as rows', async (name, size, distance) => {
  const words = Array.from({ length: 11 }, (_, index) => `Bryum${index}`)
  const book = workbook(
    { rows: [], cells: textCell('A1', words.join('&#10;')).replace('<c ', '<c s="1" ') },
    {
      font: `<sz val="${size}"/><name val="${name}"/>`,
      formats: '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"><alignment wrapText="1"/></xf>',
    },
  )
  const places = await wordsIn(await toPdf(book))
  const found = ((places.get('Bryum10')?.bottom ?? 0) - (places.get('Bryum0')?.bottom ?? 0)) / 10
  expect(Math.abs(found - distance)).toBeLessThan(0.1)
})

const textCell = (reference: string, text: string) =>
  `<row r="${/\d+/.exec(reference)}"><c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c></row>`

test('blank pages between others are printed, and pages with fills only', async () => {
  const fill = '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill>'
  const format = '<xf numFmtId="0" fontId="0" fillId="2" borderId="0" xfId="0" applyFill="1"/>'
  const cells = (last: string) => textCell('A1', 'Bryum') + textCell('M120', 'Pohlia') + last
  const pagesOf = async (last: string) => {
    const { stdout } = await run('pdftotext', [
      await toPdf(workbook({ rows: [], cells: cells(last) }, { fills: fill, formats: format })),
      '-',
    ])
    return stdout
      .split('\f')
      .slice(0, -1)
      .map((text) => text.trim())
  }
  expect(await pagesOf('')).toEqual(['Bryum', '', '', '', '', 'Pohlia'])
  expect(await pagesOf('<row r="180"><c r="M180" s="1"/></row>')).toEqual([
    'Bryum',
    ...['', '', '', '', ''],
    'Pohlia',
    '',
  ])
  const wholeRows = Array.from(
    { length: 60 },
    (_, index) => `<row r="${index + 121}" s="1" customFormat="1"/>`,
  )
  expect(await pagesOf(wholeRows.join(''))).toEqual(['Bryum', '', '', '', '', 'Pohlia'])
})

test.each([
  ['lines', 'borderId="1"'],
  ['fills', 'fillId="2"'],
])('hundreds of pages with %s only are not printed', async (_, format) => {
  const rows = Array.from(
    { length: 600 },
    (__, index) => `<row r="${index + 2}" ht="400"><c r="B${index + 2}" s="1"/></row>`,
  )
  const pdf = await toPdf(
    workbook(
      { rows: [], cells: textCell('A1', 'Bryum') + rows.join('') },
      {
        borders: '<border><left style="thin"/></border>',
        fills: '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill>',
        formats: `<xf numFmtId="0" fontId="0" xfId="0" ${format}/>`,
      },
    ),
  )
  expect((await run('pdfinfo', [pdf])).stdout).toMatch(/Pages:\s+1\n/)
})

// A digit of Calibri 11 is 47 pixels wide at 100 %, 35 at 75 %, 37 at 80 %.
test.each([
  ['a scale', '<pageSetup paperSize="9" scale="75"/>', '', 35],
  ['a width', '<pageSetup paperSize="9" fitToHeight="0"/>', '<pageSetUpPr fitToPage="1"/>', 37],
])('columns of a sheet with %s have whole pixels per digit', async (_, after, properties, pixels) => {
  const row = Array.from({ length: 12 }, (_, index) => `Bryum${index}`)
  const book = workbook({ rows: [row], before: properties && `<sheetPr>${properties}</sheetPr>`, after })
  const words = await wordsIn(await toPdf(book))
  const width = ((words.get('Bryum11')?.left ?? 0) - (words.get('Bryum0')?.left ?? 0)) / 11
  expect(width).toBeCloseTo(((64 / 7) * pixels * 72) / 600, 1)
})

const rowBreak = '<rowBreaks count="1" manualBreakCount="1"><brk id="1" max="16383" man="1"/></rowBreaks>'
const columnBreak =
  '<colBreaks count="1" manualBreakCount="1"><brk id="1" max="1048575" man="1"/></colBreaks>'
test.each([
  ['not fitted', '', '<pageSetup/>', 4],
  ['fitted to one page', '<pageSetUpPr fitToPage="1"/>', '<pageSetup/>', 1],
  ['fitted to a width', '<pageSetUpPr fitToPage="1"/>', '<pageSetup fitToHeight="0"/>', 2],
])(
  'a sheet that is %s has manual breaks only where it is not fitted',
  async (_, properties, setup, pages) => {
    const rows = [
      ['Bryum', 'Pohlia'],
      ['Mnium', 'Funaria'],
    ]
    const after = setup + rowBreak + columnBreak
    const pdf = await toPdf(workbook({ rows, before: `<sheetPr>${properties}</sheetPr>`, after }))
    expect((await run('pdfinfo', [pdf])).stdout).toMatch(new RegExp(`Pages:\\s+${pages}\\n`))
  },
)

test('comments are printed after a sheet, which has fewer cells than pages', async () => {
  const remark =
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Ann</author></authors>' +
    '<commentList><comment ref="A1" authorId="0"><text><t>Orthotrichum</t></text></comment></commentList></comments>'
  const book = workbook(
    { rows: [['Bryum']] },
    {
      parts: [
        { id: 'c1', type: 'comments', target: '../comments1.xml', name: 'xl/comments1.xml', content: remark },
      ],
    },
  )
  const output = join(kiln.folder, 'comments.pdf')
  await kiln.converter.convertFile({
    pair: pairOf('xlsx', 'pdf'),
    options: { comments: 'shown' },
    input: (to) => writeFile(to, book),
    output,
  })
  const { stdout } = await run('pdftotext', ['-f', '2', output, '-'])
  expect(stdout).toContain('Orthotrichum')
})

test('a line sparkline is drawn, over a drawing with the size of its cells', async () => {
  const spreadsheet = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'
  const groups =
    `<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="${spreadsheet}"><x14:sparklineGroups` +
    ' xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup lineWeight="6">' +
    '<x14:colorSeries rgb="FFFF0000"/><x14:sparklines><x14:sparkline><xm:f>A1:B1</xm:f><xm:sqref>B3</xm:sqref>' +
    '</x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>'
  const cells = (row: number, left: string, right: string) =>
    `<row r="${row}" ht="60"><c r="A${row}"${left}</c><c r="B${row}"${right}</c></row>`
  const text = (content: string) => ` t="inlineStr"><is><t>${content}</t></is>`
  const pdf = await toPdf(
    workbook({
      rows: [],
      cells: cells(1, '><v>5</v>', '><v>5</v>') + cells(2, text('Bryum'), text('Pohlia')),
      after: groups,
    }),
  )
  const words = await wordsIn(pdf)
  const colourAt = await coloursOf(pdf)
  // A level line in the middle of the cell below the second text.
  const [left, bottom] = [words.get('Pohlia')?.left ?? 0, words.get('Pohlia')?.bottom ?? 0]
  expect([colourAt(left + 20, bottom + 8), colourAt(left - 30, bottom + 8)]).toEqual(['ff0000', 'ffffff'])
})

test('a cell has the formats of all conditions that hold', async () => {
  const rule = (format: number, limit: number) =>
    `<cfRule type="cellIs" dxfId="${format}" priority="${format + 1}" operator="greaterThan"><formula>${limit}</formula></cfRule>`
  const sheet = {
    rows: [['Bryum']],
    cells: '<row r="2"><c r="A2"><v>5</v></c></row><row r="3"><c r="A3"><v>9</v></c></row>',
    after: `<conditionalFormatting sqref="A2:A3">${rule(0, 1)}${rule(1, 7)}</conditionalFormatting>`,
  }
  const pdf = await toPdf(
    workbook(sheet, {
      differentials:
        '<dxf><font><b/></font></dxf><dxf><fill><patternFill><bgColor rgb="FFFFFF00"/></patternFill></fill></dxf>',
    }),
  )
  const words = await wordsIn(pdf)
  const colourAt = await coloursOf(pdf)
  const fillOf = (text: string) =>
    colourAt((words.get('Bryum')?.left ?? 0) + 5, (words.get(text)?.bottom ?? 0) - 5)
  expect([fillOf('5'), fillOf('9')]).toEqual(['ffffff', 'ffff00'])
  expect((await run('pdffonts', [pdf])).stdout).toMatch(/Bold/)
})
