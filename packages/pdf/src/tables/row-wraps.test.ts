import { describe, expect, it } from 'vitest'
import { find, grid, h, row } from './test-tables.ts'

// Letters are 5 points wide. The columns are at 60, 130 and 200; the rules end at 250 unless stated otherwise.

const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })

describe('rows of cells with several lines', () => {
  it('go on where the next word did not fit, and begin where it would have', () => {
    const body = [
      ...row(134, { 60: 'Clay fired', 130: 'Lasts long', 200: '12' }),
      ...row(146, { 60: 'twice', 130: 'and well' }),
      ...row(158, { 60: 'Glass', 130: 'Breaks', 200: '7' }),
      ...row(170, { 60: 'Brick', 130: 'Stays', 200: '9' }),
    ]
    expect(grid(find([...head, ...body], [h(102), h(120), h(176)]).tables[0])).toEqual([
      ['name', 'count', 'size'],
      ['Clay fired twice', 'Lasts long and well', '12'],
      ['Glass', 'Breaks', '7'],
      ['Brick', 'Stays', '9'],
    ])
  })

  it('begin where a text stands under an empty place', () => {
    const body = [
      ...row(134, { 60: 'Clay fired', 130: 'Lasts long' }),
      ...row(146, { 60: 'twice more', 130: 'and well', 200: 'dear' }),
      ...row(158, { 60: 'Glass', 130: 'Breaks', 200: '7' }),
    ]
    expect(grid(find([...head, ...body], [h(102), h(120), h(164)]).tables[0])).toHaveLength(4)
  })

  it('begin with each name and each number, however full their columns are', () => {
    const body = [
      ...row(134, { 60: 'run.all', 130: '12.55', 200: 'Random For' }),
      ...row(146, { 60: 'run.one', 130: '11.30', 200: 'Linear Reg' }),
      ...row(158, { 60: 'run.two', 130: '17.35', 200: 'Simple Sum' }),
    ]
    expect(grid(find([...head, ...body], [h(102), h(120), h(164)]).tables[0])).toHaveLength(4)
  })

  it('hold the items of a list', () => {
    const body = [
      ...row(134, { 60: 'Clay', 130: '• one' }),
      ...row(146, { 130: '• two' }),
      ...row(158, { 60: 'Glass', 130: '• three' }),
      ...row(170, { 130: '• four' }),
    ]
    const two = row(114, { 60: 'name', 130: 'parts' })
    expect(grid(find([...two, ...body], [h(102), h(120), h(176)]).tables[0])).toEqual([
      ['name', 'parts'],
      ['Clay', '• one • two'],
      ['Glass', '• three • four'],
    ])
  })

  it('have one row of heads that stand on the rule below them', () => {
    const heads = [...row(102, { 130: 'total' }), ...row(114, { 60: 'name', 130: 'count', 200: 'size' })]
    const body = [
      ...row(134, { 60: 'alpha', 130: '12', 200: '3.5' }),
      ...row(146, { 60: 'beta', 130: '7', 200: '10' }),
    ]
    expect(grid(find([...heads, ...body], [h(90), h(120), h(152)]).tables[0])?.[0]).toEqual([
      'name',
      'total count',
      'size',
    ])
  })
})

describe('tables with long texts', () => {
  const lines = (x: number, texts: string[], from: number) =>
    texts.flatMap((text, i) => row(from + 12 * i, { [x]: text }))

  it('are tables where most lines have text in one column only', () => {
    const long = ['Earlier work on clay', 'that was fired and', 'lasted for as long', 'as people used it']
    const body = [
      ...row(134, { 60: 'one' }),
      ...lines(130, long, 134),
      ...row(182, { 60: 'two', 130: 'Later' }),
    ]
    const two = row(114, { 60: 'name', 130: 'what' })
    expect(grid(find([...two, ...body], [h(102), h(120), h(188)]).tables[0])).toEqual([
      ['name', 'what'],
      ['one', long.join(' ')],
      ['two', 'Later'],
    ])
  })

  it('go on to the end of the page without a last rule', () => {
    const body = [
      ...row(134, { 60: 'alpha', 130: '12', 200: '3.5' }),
      ...row(146, { 60: 'beta', 130: '7', 200: '10' }),
    ]
    const { tables, textRuns } = find([...head, ...body], [h(102), h(120)])
    expect(grid(tables[0])).toHaveLength(3)
    expect(textRuns).toEqual([])
  })

  it('do not take in the text that follows their heads', () => {
    const text = [134, 146, 158].flatMap((y) => row(y, { 60: 'clay that was fired lasts for long' }))
    expect(find([...head, ...text], [h(102), h(120)]).tables).toEqual([])
  })
})
