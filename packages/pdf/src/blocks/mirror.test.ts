import { describe, expect, it } from 'vitest'
import { textRunOf } from '../lines/test-text-runs.ts'
import type { FoundCell, FoundTable } from '../tables/table.ts'
import { paragraphsOf } from './block.ts'
import { measurePitch } from './line-pitch.ts'
import { buildTable } from './table-blocks.ts'
import { learnVocabulary } from './vocabulary.ts'

const context = { linePitch: measurePitch([]), vocabulary: learnVocabulary([]), spacing: new Map() }
const line = { width: 1, color: '000000' }
const frame = { x0: 20, x1: 320 }

function tableOf(texts: readonly string[], rtl: boolean): FoundTable {
  const xs = [50, 150, 300]
  const cells = texts.map((text, column): FoundCell => {
    const x0 = xs[column] as number
    const box = { x0, x1: xs[column + 1] as number, y0: 80, y1: 100 }
    const textRuns = [{ ...textRunOf(text, x0 + 5, 95), rtl: rtl && !/\d/.test(text) }]
    return {
      ...{ row: 0, column, rowSpan: 1, columnSpan: 1, box, textRuns, pictures: [], tables: [] },
      ...{ fill: undefined, borders: column === 0 ? { left: line } : {} },
    }
  })
  return { box: { x0: 50, x1: 300, y0: 80, y1: 100 }, xs, ys: [80, 100], cells, headerRows: 0, ruled: true }
}

const textsOf = (found: FoundTable): (string | undefined)[] =>
  buildTable(found, frame, 0, context).rows[0]?.cells.map(
    ({ blocks }) => [...paragraphsOf(blocks)][0]?.text,
  ) ?? []

describe('tables of Arabic and Hebrew', () => {
  it('begin with their rightmost column', () => {
    const found = tableOf(['981', 'שם'], true)
    expect(textsOf(found)).toEqual(['שם', '981'])
    expect(buildTable(found, frame, 0, context)).toMatchObject({
      rtl: true,
      left: 20,
      columns: [150, 100],
      rows: [{ cells: [{ column: 0 }, { column: 1, borders: { right: line } }] }],
    })
  })

  it('begin where the structure tree says', () => {
    const tagged = (places: readonly number[]): FoundTable => {
      const found = tableOf(['981', 'שם'], true)
      const cells = found.cells.map((cell, i) => {
        const tag = { type: 'TD', parent: undefined, at: places[i] as number }
        return { ...cell, textRuns: cell.textRuns.map((p) => ({ ...p, tag })) }
      })
      return { ...found, cells }
    }
    const wide = { x0: 50, x1: 400 }
    expect(buildTable(tagged([2, 1]), wide, 0, context).rtl).toBe(true)
    expect(buildTable(tagged([1, 2]), frame, 0, context).rtl).toBeUndefined()
  })

  it('others begin with their leftmost, and so do those that stand at the left', () => {
    expect(textsOf(tableOf(['981', 'name'], false))).toEqual(['981', 'name'])
    expect(buildTable(tableOf(['כן', 'שם'], true), { x0: 50, x1: 400 }, 0, context).rtl).toBeUndefined()
  })

  it('begin with the words that numbers belong to, wherever they stand', () => {
    expect(buildTable(tableOf(['981', 'שם'], true), { x0: 50, x1: 400 }, 0, context).rtl).toBe(true)
    expect(buildTable(tableOf(['שם', '981'], true), frame, 0, context).rtl).toBeUndefined()
  })
})
