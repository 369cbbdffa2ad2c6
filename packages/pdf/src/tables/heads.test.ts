import { describe, expect, it } from 'vitest'
import { textRunOf } from '../lines/test-text-runs.ts'
import { find, grid, h, row, v } from './test-tables.ts'

describe('heads of tables with few rules', () => {
  const figures = (y: number, name: string): ReturnType<typeof row> =>
    row(y, { 60: name, 110: '1.25', 140: '3.50', 180: '2.75', 210: '4.05' })
  const body = ['one', 'two', 'six', 'ten'].flatMap((name, i) => figures(134 + 12 * i, name))

  it('do not join the columns that they stand over', () => {
    const head = [
      ...row(100, { 60: 'name', 113: 'first one', 178: 'second one' }),
      ...row(114, { 110: 'low', 140: 'high', 180: 'low', 210: 'high' }),
    ]
    const { tables } = find([...head, ...body], [h(88), h(103, 105, 165), h(103, 175, 235), h(120), h(176)])
    expect(grid(tables[0]).slice(0, 3)).toEqual([
      ['name', 'first one>', 'second one>'],
      ['', 'low', 'high', 'low', 'high'],
      ['one', '1.25', '3.50', '2.75', '4.05'],
    ])
  })

  it('may have a name half way between their two lines', () => {
    const head = [
      ...row(102, { 165: 'both' }),
      ...row(108, { 60: 'name' }),
      ...row(114, { 110: 'low', 140: 'high', 180: 'low', 210: 'high' }),
    ]
    const { tables } = find([...head, ...body], [h(90), h(105, 105, 235), h(120), h(176)])
    expect(grid(tables[0]).slice(0, 2)).toEqual([
      ['namev', 'both>>>'],
      ['low', 'high', 'low', 'high'],
    ])
  })

  it('may be centred over cells that begin far to their left', () => {
    const rows = [112, 124, 136, 148].flatMap((y, i) => row(y, { 60: `n${i}`, 120: '12', 300: '3.50' }))
    const head = row(100, { 60: 'name', 180: 'first', 300: 'last' })
    const above = row(88, { 60: 'all', 300: 'more' })
    expect(grid(find([...head, ...rows], []).tables[0])[0]).toEqual(['name', 'first', 'last'])
    expect(grid(find([...above, ...head, ...rows], []).tables[0])[1]).toEqual(['name', 'first', 'last'])
  })

  it('stay apart where one rule runs under two of them', () => {
    const head = row(108, { 60: 'name', 115: 'first', 180: 'second' })
    const rows = [134, 146, 158].flatMap((y, i) => row(y, { 60: `n${i}`, 120: '1.25', 185: '3.50' }))
    const { tables } = find([...head, ...rows], [h(96), h(112, 110, 215), h(120), h(164)])
    expect(grid(tables[0])[0]).toEqual(['name', 'first', 'second'])
  })
})

/** A line that has more than one space between some of its words. */
function spaced(text: string, y: number, x = 50): ReturnType<typeof textRunOf> {
  const textRun = textRunOf(text, x, y)
  const plain = textRunOf(text.replace(/ +/g, ' '), x, y)
  return { ...plain, box: textRun.box, words: textRun.words.filter((w) => w.text !== '') }
}

describe('rows of tables with few rules', () => {
  it('have a column for names that stand between them', () => {
    const groups = [134, 166, 198, 230, 262].flatMap((y, i) => [
      ...row(y, { 110: 'best', 150: '3.5', 200: '9.5' }),
      ...row(y + 7, { 60: `kind ${i}` }),
      ...row(y + 14, { 110: 'last', 150: '1.5', 200: '7.5' }),
    ])
    const head = row(114, { 65: 'of', 110: 'which', 150: 'one', 200: 'two' })
    const { tables } = find(
      [...head, ...groups],
      [102, 120, 154, 186, 218, 250, 282].map((y) => h(y)),
    )
    expect(grid(tables[0]).slice(0, 3)).toEqual([
      ['of', 'which', 'one', 'two'],
      ['kind 0v', 'best', '3.5', '9.5'],
      ['last', '1.5', '7.5'],
    ])
  })

  it('are separate in a box filled with numbers', () => {
    const lines = [h(100, 50, 230), h(120, 50, 230), h(172, 50, 230)]
    const box = [...lines, v(50, 100, 172), v(100, 100, 172), v(230, 100, 172)]
    const texts = [114, 134, 149, 164].flatMap((y, i) => [
      ...row(y, { 60: `n${i}` }),
      spaced('0.0362  0.0161  0.0173', y, 110),
    ])
    const { tables } = find(texts, box)
    expect(grid(tables[0])).toEqual([0, 1, 2, 3].map((i) => [`n${i}`, '0.0362', '0.0161', '0.0173']))
  })

  it('are separate where all cells of a box have the same number of lines', () => {
    const lines = [h(100), h(120), h(172)]
    const box = [...lines, ...[50, 110, 180, 250].map((x) => v(x, 100, 172))]
    const texts = [114, 132, 143, 154, 165].flatMap((y, i) =>
      row(y, { 60: `n${i}`, 120: `first ${i}`, 190: `next ${i}` }),
    )
    const { tables } = find(texts, box)
    expect(grid(tables[0])).toEqual([0, 1, 2, 3, 4].map((i) => [`n${i}`, `first ${i}`, `next ${i}`]))
  })

  const cells = [
    ...row(134, { 60: 'The house checks its', 180: 'Done' }),
    ...row(146, { 60: 'steps of work', 180: 'Begun' }),
    ...row(158, { 60: 'Tools are used for', 180: 'Done' }),
    ...row(170, { 60: 'counting parts', 180: 'Not' }),
    ...row(182, { 60: 'Parts are kept', 180: 'Done' }),
    ...row(194, { 60: 'Lists are written', 180: 'Not' }),
  ]
  const sentences = [
    ['The house checks its steps of work', 'Done Begun'],
    ['Tools are used for counting parts', 'Done Not'],
    ['Parts are kept', 'Done'],
    ['Lists are written', 'Not'],
  ]

  it('go on where the sentence in their first column does', () => {
    const head = row(114, { 60: 'practice', 180: 'state' })
    const { tables } = find([...head, ...cells], [h(102), h(120), h(200)])
    expect(grid(tables[0])).toEqual([['practice', 'state'], ...sentences])
  })

  it('go on so without any rule', () => {
    expect(grid(find(cells, []).tables[0])).toEqual(sentences)
  })

  it('have dashes in place of numbers, not before them', () => {
    const rows = [134, 146, 158, 170].flatMap((y, i) =>
      row(y, { 60: `n${i}`, 120: '-', 150: '1.25', 200: '3' }),
    )
    const head = row(114, { 60: 'name', 115: 'one', 150: 'two', 195: 'all' })
    const { tables } = find([...head, ...rows], [h(102), h(120), h(176)])
    expect(grid(tables[0])[1]).toEqual(['n0', '-', '1.25', '3'])
  })

  it('are not made of running text with wide spaces after its sentences', () => {
    const table = (y: number): ReturnType<typeof row> => [
      ...row(y, { 60: 'name', 165: 'count' }),
      ...row(y + 20, { 60: 'alpha', 165: '12' }),
    ]
    const prose = [166, 178, 190, 202].map((y) => spaced('These words run on.    And then they end', y))
    const rules = [102, 120, 142, 214, 232, 254].map((y) => h(y))
    const { tables, textRuns } = find([...table(114), ...prose, ...table(226)], rules)
    expect(tables.map((t) => grid(t).length)).toEqual([2, 2])
    expect(textRuns).toHaveLength(4)
  })
})
