import { expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

const mega = 1024 * 1024

test('bounds one account, and all together', () => {
  const budget = createBodyBudget(4 * mega, 10 * mega)
  const first = budget.take('a', 4 * mega)
  expect(() => budget.take('a', 1)).toThrow(expect.objectContaining({ code: 'rate-limited' }))
  budget.take('b', 4 * mega)
  expect(() => budget.take('c', 3 * mega)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  budget.take('c', 2 * mega)
  first.giveBack()
  first.giveBack()
  expect(() => budget.take('d', 5 * mega)).toThrow()
  budget.take('d', 4 * mega)
  expect(() => budget.take('e', 1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

test('many small bodies count too', () => {
  const budget = createBodyBudget(mega, 10 * mega)
  for (let n = 0; n < 4; n++) budget.take('a', 0)
  expect(() => budget.take('a', 0)).toThrow(expect.objectContaining({ code: 'rate-limited' }))
})
