import { expect, test } from 'vitest'
import { readLabel } from './labels.ts'

const line = (text: string) => ({ text, firstGap: 8, size: 10 })
const tag = (type: string) => ({ type, parent: undefined })

test('bullets and numbers are labels, words are none', () => {
  expect(readLabel(line('• item'))).toMatchObject({ kind: 'bullet', text: '•' })
  // Signs of Wingdings and of OpenSymbol have private codes.
  for (const sign of ['\uf0a7', '\ue00a']) expect(readLabel(line(`${sign} item`))?.kind).toBe('bullet')
  // LaTeX's at the third level, and Beamer's.
  for (const sign of ['∗', '▶', '◾']) expect(readLabel(line(`${sign} item`))?.kind).toBe('bullet')
  expect(readLabel(line('(iv) item'))).toMatchObject({ kind: 'number', text: '(iv)' })
  expect(readLabel(line('so item'))).toBeUndefined()
})

test('what the tags call a label is one, unless it is too long for that', () => {
  expect(readLabel({ ...line('so item'), tag: tag('Lbl') })).toMatchObject({ kind: 'bullet', text: 'so' })
  expect(readLabel({ ...line('something item'), tag: tag('Lbl') })).toBeUndefined()
  expect(readLabel({ ...line('so item'), tag: tag('P') })).toBeUndefined()
})

test.each(['-', '–', '→', '*'])('%s with a plain space behind it may be a label', (sign) => {
  expect(readLabel(line(`${sign} item`))).toMatchObject({ kind: 'bullet', text: sign })
  expect(readLabel({ ...line(`${sign} item`), firstGap: 2.5 })).toMatchObject({ kind: 'typed', text: sign })
})

test('a letter alone is a label if a gap follows, but not the first word of a sentence', () => {
  expect(readLabel({ ...line('B item'), firstGap: 5 })).toMatchObject({ kind: 'number', text: 'B' })
  expect(readLabel({ ...line('A word'), firstGap: 2.5 })).toBeUndefined()
})

test('a label may end where the text begins', () => {
  expect(readLabel(line('iii.Text of the item'))).toMatchObject({ kind: 'number', text: 'iii.' })
  expect(readLabel(line('B.\u05d1\u05d3\u05e7'))).toMatchObject({ kind: 'number', text: 'B.' })
  for (const text of ['U.S. law', 'i.e. this']) expect(readLabel(line(text))).toBeUndefined()
})

test('a number needs no space before Chinese, Japanese or Korean', () => {
  expect(readLabel(line('1.变量名'))).toMatchObject({ kind: 'number', text: '1.' })
  expect(readLabel(line('（２）ツール'))).toMatchObject({ kind: 'number', text: '（２）' })
  expect(readLabel(line('1.5变'))).toBeUndefined()
})

test('stars and circles in a row are a rating, two bullets are one of each level', () => {
  for (const text of ['★★★★☆', '★★★☆☆ 128 reviews', '●●●○○ Spanish'])
    expect(readLabel(line(text)), text).toBeUndefined()
  expect(readLabel(line('••item'))).toMatchObject({ kind: 'bullet', text: '•' })
})
