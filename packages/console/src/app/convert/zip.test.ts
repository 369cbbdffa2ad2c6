import { expect, test } from 'vitest'
import { uniqueNames } from './zip.ts'

test('two results of the same name get different names, also next to one that has it already', () => {
  expect(uniqueNames(['a.pdf', 'a.pdf', 'a (2).pdf', 'b/a.pdf', 'a.pdf'])).toEqual([
    'a.pdf',
    'a (2).pdf',
    'a (2) (2).pdf',
    'b/a.pdf',
    'a (3).pdf',
  ])
})
