import { unzip } from '@kiln/test-support/zip.ts'
import { describe, expect, it } from 'vitest'
import { type Cell, emptyParagraph, type Table } from '../blocks/block.ts'
import { textRunOf } from '../lines/test-text-runs.ts'
import type { WordDocument } from '../sections/section.ts'
import { writeCsv } from './csv.ts'
import { findTables } from './found-tables.ts'
import { writeXlsx } from './xlsx.ts'

type Given = string | { text: string; rowSpan?: number; columnSpan?: number; continued?: true }

const box = { x0: 0, y0: 0, x1: 1, y1: 1 }

function cellOf(given: Given, column: number): Cell {
  const { text, ...rest } = typeof given === 'string' ? { text: given } : given
  const lines = text.split('\n').map((line) => ({
    ...emptyParagraph(box, 0, undefined),
    text: line,
    runs: line ? textRunOf(line, 0, 0).spans : [],
  }))
  return {
    column,
    columnSpan: 1,
    rowSpan: 1,
    continued: false,
    blocks: lines,
    fill: undefined,
    borders: {},
    vertical: 'top' as const,
    turn: 0 as const,
    padding: { left: 0, right: 0 },
    ...rest,
  }
}

const tableOf = (page: number, rows: readonly (readonly Given[])[]): Table => ({
  kind: 'table',
  left: 0,
  columns: rows[0]?.map(() => 60) ?? [],
  before: 0,
  box,
  page,
  startsPage: false,
  startsColumn: false,
  ruled: true,
  rows: rows.map((cells, i) => ({ height: 10, header: i === 0, cells: cells.map(cellOf) })),
})

const documentOf = (...blocks: Table[]) => ({ sections: [{ blocks }] }) as unknown as WordDocument

const tables = findTables(
  documentOf(
    tableOf(0, [
      ['Name', 'Sum'],
      ['=1+1', '-3.5'],
      ['@cmd', "-2+3+cmd|' /C calc'!A0"],
    ]),
    tableOf(1, [['a box around a text']]),
    tableOf(2, [
      [
        { text: 'Both', columnSpan: 2 },
        { text: '', continued: true },
      ],
      [{ text: 'two\nlines', rowSpan: 2 }, 'say "a", b'],
      [{ text: '', continued: true }, '+49 30 1234'],
    ]),
    tableOf(2, [
      ['', 'x'],
      ['y', ''],
    ]),
  ),
)

describe('tables of a document', () => {
  it('as CSV: one after the other, and nothing that a sheet would run', () => {
    expect(writeCsv(tables)).toBe(
      [
        ...['Name,Sum', "'=1+1,-3.5", "'@cmd,'-2+3+cmd|' /C calc'!A0", ''],
        ...['Both,', '"two\nlines","say ""a"", b"', ',+49 30 1234', ''],
        ...[',x', 'y,', ''],
      ].join('\r\n'),
    )
  })

  it('as sheets: named by page, merged cells, numbers, and texts that stay texts', () => {
    const parts = unzip(Buffer.from(writeXlsx(tables, (page) => page + 11)))
    const part = (name: string) => parts.get(name)?.toString() ?? ''
    expect([...part('xl/workbook.xml').matchAll(/name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Page 11',
      'Page 13',
      'Page 13 (2)',
    ])
    const [first, second] = [part('xl/worksheets/sheet1.xml'), part('xl/worksheets/sheet2.xml')]
    expect(first).toContain('t="inlineStr"><is><t xml:space="preserve">=1+1</t>')
    expect(first).toMatch(/<c r="B2" s="\d+"><v>-3.5<\/v>/)
    expect(first + second).not.toContain('<f>')
    expect([...second.matchAll(/ref="([^"]*)"/g)].map(([, ref]) => ref)).toEqual(['A1:B1', 'A2:A3'])
    const looks = [...part('xl/styles.xml').matchAll(/<xf[^>]*>/g)].map(([look]) => look).slice(1)
    const look = Number(/r="A2" s="(\d+)"/.exec(first)?.[1])
    expect(looks[look]).toContain('quotePrefix="1"')
  })

  it('a table of Arabic is a sheet that begins at the right', () => {
    const found = findTables(
      documentOf({
        ...tableOf(0, [
          ['a', 'b'],
          ['c', 'd'],
        ]),
        rtl: true,
      }),
    )
    const sheet = unzip(Buffer.from(writeXlsx(found, (page) => page + 1))).get('xl/worksheets/sheet1.xml')
    expect(sheet?.toString()).toContain('rightToLeft="1"')
  })

  it('two merged cells that lie over each other are not both merged', () => {
    const [table] = findTables(
      documentOf(
        tableOf(0, [
          ['a', { text: 'b', rowSpan: 9 }],
          [{ text: 'c', columnSpan: 2 }, ''],
        ]),
      ),
    )
    expect(table?.cells).toEqual([
      { row: 0, column: 0, rowSpan: 1, columnSpan: 1, text: 'a' },
      { row: 0, column: 1, rowSpan: 2, columnSpan: 1, text: 'b' },
      { row: 1, column: 0, rowSpan: 1, columnSpan: 1, text: 'c' },
    ])
  })

  it('without any it fails with a sentence', () => {
    expect(() => findTables(documentOf())).toThrow(/^No table was found in the PDF/)
  })
})
