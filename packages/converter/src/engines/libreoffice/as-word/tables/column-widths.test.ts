import { describe, expect, test } from 'vitest'
import { type Cell, columnWidths } from './column-widths.ts'

const cell = (column: number, min: number, max: number, more: Partial<Cell> = {}): Cell => ({
  column,
  span: 1,
  min,
  max,
  ...more,
})
const twips = (value: number) => ({ wanted: { twips: value } })

describe('a table as wide as its columns', () => {
  const size = { wanted: undefined, available: 9000 }

  test('columns have the widths that their cells ask for', () => {
    expect(columnWidths([cell(0, 300, 900, twips(2000)), cell(1, 300, 9000, twips(5000))], 2, size)).toEqual([
      2000, 5000,
    ])
  })

  test('a table may have any number of rows', () => {
    const cells = Array.from({ length: 300_000 }, (_, index) => cell(index % 2, 300, 900))
    expect(columnWidths(cells, 2, size)).toEqual([900, 900])
  })

  test('a word that is wider than its column widens the table', () => {
    expect(columnWidths([cell(0, 1400, 1400, twips(1000)), cell(1, 300, 900, twips(2000))], 2, size)).toEqual(
      [1400, 2000],
    )
  })

  test('columns without a width are as wide as their widest line', () => {
    expect(columnWidths([cell(0, 300, 900), cell(0, 100, 400), cell(1, 300, 2500)], 2, size)).toEqual([
      900, 2500,
    ])
  })

  test('where the page is too narrow, each gives up a share of what it has above its widest word', () => {
    // 12,000 twips are asked for, 2,000 of them for words: 7,000 of the other 10,000 are left.
    expect(columnWidths([cell(0, 500, 4500), cell(1, 1500, 7500)], 2, size)).toEqual([3300, 5700])
  })

  test('nothing is known where not even the words fit', () => {
    expect(columnWidths([cell(0, 5000, 6000), cell(1, 5000, 7500)], 2, size)).toBeUndefined()
  })
})

describe('a table of a width of its own', () => {
  test('a wide word takes from the other columns', () => {
    const widths = columnWidths([cell(0, 1400, 1400, twips(1000)), cell(1, 300, 900, twips(8000))], 2, {
      wanted: 9000,
      available: 9000,
    })
    expect(widths).toEqual([1400, 7600])
  })

  test('columns without a width grow first, in proportion to their text', () => {
    const cells = [cell(0, 300, 900, twips(1000)), cell(1, 300, 1000), cell(2, 300, 3000)]
    expect(columnWidths(cells, 3, { wanted: 9000, available: 9000 })).toEqual([1000, 2000, 6000])
  })

  test('shares are of the table', () => {
    const cells = [
      cell(0, 300, 900, { wanted: { share: 0.25 } }),
      cell(1, 300, 900, { wanted: { share: 0.75 } }),
    ]
    expect(columnWidths(cells, 2, { wanted: 8000, available: 9000 })).toEqual([2000, 6000])
  })

  test('the words of a narrow table make it wider', () => {
    const cells = [cell(0, 1400, 1400, twips(500)), cell(1, 1300, 1400, twips(500))]
    expect(columnWidths(cells, 2, { wanted: 1000, available: 9000 })).toEqual([1400, 1300])
  })
})

test('a cell over several columns widens them in proportion', () => {
  const cells = [cell(0, 300, 1000), cell(1, 300, 3000), cell(0, 6000, 8000, { span: 2 })]
  expect(columnWidths(cells, 2, { wanted: undefined, available: 9000 })).toEqual([2000, 6000])
})
