import { describe, expect, it } from 'vitest'
import { pieceOf } from '../lines/test-pieces.ts'
import type { FoundCell, FoundTable } from '../tables/table.ts'
import { paragraphsOf } from './block.ts'
import { learnVocabulary } from './build.ts'
import { learnHabits } from './paragraphs.ts'
import { buildTable } from './table-blocks.ts'

const context = { habits: learnHabits([]), vocabulary: learnVocabulary([]), spacing: new Map() }
const line = { width: 1, color: '000000' }

function tableOf(texts: readonly string[], rtl: boolean): FoundTable {
  const xs = [50, 150, 300]
  const cells = texts.map((text, column): FoundCell => {
    const x0 = xs[column] as number
    const box = { x0, x1: xs[column + 1] as number, y0: 80, y1: 100 }
    const pieces = [{ ...pieceOf(text, x0 + 5, 95), rtl: rtl && !/\d/.test(text) }]
    return {
      ...{ row: 0, column, rowSpan: 1, columnSpan: 1, box, pieces, pictures: [], tables: [] },
      ...{ fill: undefined, borders: column === 0 ? { left: line } : {} },
    }
  })
  return { box: { x0: 50, x1: 300, y0: 80, y1: 100 }, xs, ys: [80, 100], cells, headerRows: 0, ruled: true }
}

const textsOf = (found: FoundTable): (string | undefined)[] =>
  buildTable(found, { x0: 50, x1: 320 }, 0, context).rows[0]?.cells.map(
    ({ blocks }) => [...paragraphsOf(blocks)][0]?.text,
  ) ?? []

describe('tables of Arabic and Hebrew', () => {
  it('begin with their rightmost column', () => {
    const found = tableOf(['981', 'שם'], true)
    expect(textsOf(found)).toEqual(['שם', '981'])
    expect(buildTable(found, { x0: 50, x1: 320 }, 0, context)).toMatchObject({
      rtl: true,
      left: 20,
      columns: [150, 100],
      rows: [{ cells: [{ column: 0 }, { column: 1, borders: { right: line } }] }],
    })
  })

  it('others begin with their leftmost', () => {
    expect(textsOf(tableOf(['981', 'name'], false))).toEqual(['981', 'name'])
  })
})
