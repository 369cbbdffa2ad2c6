import { describe, expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { textRunOf } from '../lines/test-text-runs.ts'
import type { FoundTable } from '../tables/table.ts'
import { layOut } from './layout.ts'

const seller = ['Nordfeld GmbH', 'Kanalstr. 14', '24103 Kiel', 'Tel. 0431 555']
const buyer = ['Teestube', 'Olivia Groß', 'Am Kai 3', '23966 Wismar']

const column = (texts: readonly string[], x: number, y: number, step = 12): TextRun[] =>
  texts.map((t, i) => textRunOf(t, x, y + step * i))

/** Texts in the order in which they are read. */
const read = (textRuns: readonly TextRun[]): string[] =>
  layOut({ textRuns, tables: [], pictures: [] }).flatMap((b) =>
    b.columns.flatMap((c) =>
      c.items.flatMap((i) => (i.kind === 'line' ? i.textRuns.map((p) => p.text) : [])),
    ),
  )

describe('blocks side by side', () => {
  it('are read one after the other where both are addresses', () => {
    expect(read([...column(seller, 50, 100), ...column(buyer, 300, 100)])).toEqual([...seller, ...buyer])
  })

  it('are read so in any number', () => {
    const bank = ['Sparkasse', 'IBAN DE02 2105', 'Kiel']
    const textRuns = [...column(seller, 50, 100), ...column(buyer, 220, 100), ...column(bank, 400, 100)]
    expect(read(textRuns)).toEqual([...seller, ...buyer, ...bank])
  })

  it('leave labels with their values', () => {
    const labels = column(['Nummer', 'Datum', 'Kunde'], 300, 101, 14)
    const values = column(['2026-17', '3.4.2026', '4711'], 400, 101, 14)
    expect(read([...column(buyer, 50, 100), ...labels, ...values])).toEqual([
      ...buyer,
      ...['Nummer', '2026-17', 'Datum', '3.4.2026', 'Kunde', '4711'],
    ])
    expect(read([...labels, ...values])).toEqual(['Nummer', '2026-17', 'Datum', '3.4.2026', 'Kunde', '4711'])
  })

  it('may stand beside a title that is not in step with them', () => {
    const title = textRunOf('Rechnung', 50, 118, 20)
    expect(read([...column(seller, 300, 100), title])).toEqual(['Rechnung', ...seller])
  })

  it('are no rows of dates or amounts', () => {
    const dates = column(['2019 Jan', '2020 May', '2021 Jul'], 50, 100)
    const posts = column(['Potter', 'Fired 20 pots', 'Sold 3'], 200, 100)
    expect(read([...dates, ...posts])).toEqual([
      '2019 Jan',
      'Potter',
      '2020 May',
      'Fired 20 pots',
      '2021 Jul',
      'Sold 3',
    ])
    const goods = column(['Bowl', 'Cup 2', 'Plate'], 50, 100)
    const prices = column(['3.50', '4.20', '9.00'], 200, 100)
    expect(read([...goods, ...prices])).toEqual(['Bowl', '3.50', 'Cup 2', '4.20', 'Plate', '9.00'])
  })
})

it('a frame beside text is a column', () => {
  const panel = { box: { x0: 400, y0: 90, x1: 560, y1: 300 }, cells: [{}] } as unknown as FoundTable
  const prose = column(
    ['By train every hour, which', 'takes less than forty', 'minutes.', 'Or by car.', 'Welcome!'],
    200,
    110,
    14,
  )
  const [band] = layOut({ textRuns: prose, tables: [panel], pictures: [] })
  expect(band?.columns.map((c) => c.items.map((i) => i.kind))).toEqual([prose.map(() => 'line'), ['table']])
})

it('headings in the middle of a list of prices are no column of it', () => {
  const menu = ['Soup', 'Pie', 'Fish', 'Cake'].flatMap((part, i) => [
    textRunOf(part, 260, 100 + 90 * i, 16),
    ...[1, 2, 3].flatMap((n) => [
      textRunOf('A dish that is well known here', 50, 110 + 90 * i + 20 * n),
      textRunOf(`${n}.50`, 500, 110 + 90 * i + 20 * n),
    ]),
  ])
  expect(layOut({ textRuns: menu, tables: [], pictures: [] })).toHaveLength(1)
  expect(layOut({ textRuns: menu, tables: [], pictures: [] })[0]?.columns).toHaveLength(1)
})
