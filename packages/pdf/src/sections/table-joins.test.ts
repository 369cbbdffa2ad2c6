import { describe, expect, it } from 'vitest'
import { emptyParagraph, type Table } from '../blocks/block.ts'
import type { Section } from './section.ts'
import { joinTables } from './table-joins.ts'

const box = { x0: 0, y0: 0, x1: 100, y1: 20 }

function tableOf(page: number, rows: string[][], width = 50): Table {
  return {
    kind: 'table',
    left: 0,
    columns: [width, width],
    before: 0,
    box,
    page,
    startsPage: page > 0,
    startsColumn: false,
    ruled: true,
    rows: rows.map((texts) => ({
      height: 10,
      header: false,
      cells: texts.map((text, column) => ({
        column,
        columnSpan: 1,
        rowSpan: 1,
        continued: false,
        blocks: [{ ...emptyParagraph(box, page, undefined), text }],
        fill: undefined,
        borders: {},
        vertical: 'top' as const,
        turn: 0 as const,
        padding: { left: 0, right: 0, top: 0 },
      })),
    })),
  }
}

const sectionOf = (...blocks: Table[]): Section => ({
  page: { width: 600, height: 800 },
  margins: { top: 0, bottom: 0, left: 0, right: 0, header: 0, footer: 0 },
  columns: [{ width: 100, gap: 0 }],
  start: 'page',
  blocks,
})

describe('tables over pages', () => {
  it('become one, with the repeated heading once', () => {
    const section = sectionOf(
      tableOf(0, [
        ['Name', 'Count'],
        ['a', '1'],
      ]),
      tableOf(1, [
        ['Name', 'Count'],
        ['b', '2'],
      ]),
      tableOf(2, [
        ['Name', 'Count'],
        ['c', '3'],
      ]),
    )
    const blocks = joinTables([section])[0]?.blocks ?? []
    expect(blocks).toHaveLength(1)
    const table = blocks[0] as Table
    expect(table.rows.map((r) => r.header)).toEqual([true, false, false, false])
  })

  it('become one by their repeated heading where columns are as wide as their texts', () => {
    const first = tableOf(0, [
      ['Name', 'Count'],
      ['a', '1'],
    ])
    const next = tableOf(
      1,
      [
        ['Name', 'Count'],
        ['b', '2'],
      ],
      80,
    )
    const open = [first, next].map((table) => ({ ...table, ruled: false }))
    const sections = joinTables([sectionOf(...open), sectionOf(first, next)])
    expect(sections.map((s) => s.blocks.length)).toEqual([1, 2])
  })

  it('become one without a repeated heading where no rules show the width of columns', () => {
    const parts = [tableOf(0, [['a', '1']]), tableOf(1, [['b', '2']], 80)]
    const open = parts.map((table) => ({ ...table, ruled: false }))
    const sections = joinTables([sectionOf(...open), sectionOf(...parts)])
    expect(sections.map((s) => s.blocks.length)).toEqual([1, 2])
  })

  it('stay apart when their columns differ or they share a page', () => {
    const differing = sectionOf(tableOf(0, [['a', 'b']]), tableOf(1, [['c', 'd']], 80))
    const together = sectionOf(tableOf(0, [['a', 'b']]), tableOf(0, [['c', 'd']]))
    expect(joinTables([differing, together]).map((s) => s.blocks.length)).toEqual([2, 2])
  })

  it('become one over sections by their repeated heading, and leave no empty section', () => {
    const [first, next, other] = [
      tableOf(0, [
        ['Name', 'Count'],
        ['a', '1'],
      ]),
      tableOf(1, [
        ['Name', 'Count'],
        ['b', '2'],
      ]),
      tableOf(1, [['c', '3']]),
    ] as const
    const joined = joinTables([sectionOf(first), sectionOf(next)])
    expect(joined.map((s) => s.blocks.length)).toEqual([1])
    expect(joined.flatMap((s) => s.blocks as Table[]).map((t) => t.rows.length)).toEqual([3])
    expect(joinTables([sectionOf(first), sectionOf(other)]).map((s) => s.blocks.length)).toEqual([1, 1])
  })
})
