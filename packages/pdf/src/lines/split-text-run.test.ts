import { expect, it } from 'vitest'
import { splitTextRun } from './split-text-run.ts'
import { textRunOf } from './test-text-runs.ts'

it('text in Arabic or Hebrew is split at the columns of a table, in the order that it is read in', () => {
  const plain = textRunOf('שלום עולם', 0, 100)
  const [left, right] = plain.words
  if (!left || !right) throw new Error('The text run has no two words.')
  // The first word is the rightmost.
  const words = [
    { ...left, box: right.box },
    { ...right, box: left.box },
  ]
  const middle = (left.box.x1 + right.box.x0) / 2
  const parts = splitTextRun({ ...plain, rtl: true, words }, (x) => (x < middle ? 0 : 1))
  expect(parts.map(({ text, box }) => [text, box.x0])).toEqual([
    ['שלום', right.box.x0],
    ['עולם', left.box.x0],
  ])
})
