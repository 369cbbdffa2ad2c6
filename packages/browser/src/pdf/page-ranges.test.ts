import { expect, test } from 'vitest'
import { pageIndexes } from './page-ranges.ts'

test('pages and ranges in the order that is written; an open range ends with the document', () => {
  expect(pageIndexes('3, 1-2,5-', 6)).toEqual([2, 0, 1, 4, 5])
  expect(pageIndexes('2-9', 3)).toEqual([1, 2])
})

test.each(['', 'x', '0', '4', '3-2', '1;2', '-2', '1,,2'])('%j is refused for three pages', (ranges) => {
  expect(() => pageIndexes(ranges, 3)).toThrow(expect.objectContaining({ code: 'invalid-options' }))
})

test('a list that repeats a long document is refused', () => {
  expect(() => pageIndexes('1-,'.repeat(20).slice(0, -1), 1000)).toThrow('10,000')
})
