import { expect, it } from 'vitest'
import type { Rule } from '../read/page.ts'
import { emptyParagraph, type Paragraph } from './block.ts'
import { addBorders } from './rules.ts'

const frame = { x0: 70, x1: 540 }
const rule = { horizontal: true, at: 104, from: 70, to: 540, thickness: 1, color: '000000' } as Rule

const bordered = (own: Partial<Paragraph>): Paragraph => {
  const box = { x0: 170, y0: 90, x1: 300, y1: 100 }
  const paragraph = { ...emptyParagraph(box, 0, undefined), text: 'Page 1', left: 100, ...own }
  return addBorders([paragraph], [rule], frame)[0] as Paragraph
}

it('a border is as wide as its rule, and its line stays where it was', () => {
  expect(bordered({})).toMatchObject({ left: 0, first: 100, borders: { bottom: { width: 1 } } })
  expect(bordered({ align: 'right' })).toMatchObject({ left: 0, first: 0 })
})

it('several lines keep their indent', () => {
  expect(bordered({ lines: 2 })).toMatchObject({ left: 100, first: 0 })
})
