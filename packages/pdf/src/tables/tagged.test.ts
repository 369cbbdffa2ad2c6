import { describe, expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Tag } from '../read/page.ts'
import { findTables } from './test-tables.ts'

const tag = (type: string, parent?: Tag): Tag => ({ type, parent })

/** Rows of cells at the given places; text that alignment alone would not make a table of. */
function tagged(rows: readonly (readonly [string, number, number])[][], cellType = 'TD'): TextRun[] {
  const table = tag('Table')
  return rows.flatMap((row) => {
    const tr = tag('TR', table)
    return row.map(([text, x, y]) => ({ ...textRunOf(text, x, y), tag: tag(cellType, tr) }))
  })
}

const find = (textRuns: TextRun[]) => findTables({ page: pageOf([]), textRuns, turned: [], rules: [] })

describe('tables by tags', () => {
  it('are made where the page bears them out, with spans and empty cells', () => {
    const { tables, textRuns } = find(
      tagged([
        [['Heading over both columns', 50, 100]],
        [
          ['left', 50, 120],
          ['right', 150, 120],
        ],
        [['below right', 150, 140]],
      ]),
    )
    expect(textRuns).toEqual([])
    expect(
      tables[0]?.cells.map((c) => [c.row, c.column, c.columnSpan, c.textRuns.map((p) => p.text).join()]),
    ).toEqual([
      [0, 0, 2, 'Heading over both columns'],
      [1, 0, 1, 'left'],
      [1, 1, 1, 'right'],
      [2, 0, 1, ''],
      [2, 1, 1, 'below right'],
    ])
  })

  it('rows of heading cells are the table’s head', () => {
    const head = tagged(
      [
        [
          ['Name', 50, 100],
          ['Count', 150, 100],
        ],
      ],
      'TH',
    )
    const table = head[0]?.tag?.parent?.parent
    const row = tag('TR', table)
    const body = [
      { ...textRunOf('Apples', 50, 120), tag: tag('TD', row) },
      { ...textRunOf('12', 150, 120), tag: tag('TD', row) },
    ]
    expect(find([...head, ...body]).tables[0]?.headerRows).toBe(1)
  })

  it('are not believed where rows cross or other text stands among them', () => {
    const crossing = tagged([
      [
        ['one', 50, 100],
        ['two', 150, 160],
      ],
      [
        ['three', 50, 130],
        ['four', 150, 130],
      ],
    ])
    expect(find(crossing).tables).toEqual([])
    const honest = tagged([
      [
        ['one', 50, 100],
        ['two', 150, 100],
      ],
      [
        ['three', 50, 160],
        ['four', 150, 160],
      ],
    ])
    expect(find(honest).tables).toHaveLength(1)
    expect(find([...honest, textRunOf('a line of text between the rows', 50, 130)]).tables).toEqual([])
  })
})
