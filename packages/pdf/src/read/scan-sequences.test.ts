import { expect, test } from 'vitest'
import type { OcrWord } from './ocr/words.ts'
import { withSequences } from './scan-sequences.ts'

// Words of list items on blank paper of one dot per point; marks that were not read are painted.

const [width, height] = [400, 300]
const wordAt = (text: string, left: number, top: number): OcrWord => ({
  ...{ text, left, top, width: 7 * text.length, height: 14, confidence: 90 },
  line: `1.1.1.${top}`,
})

/** The labels, as a list with one item each; a label that starts with `+` was not read but painted. */
function labelsOf(...labels: string[]): string[] {
  const dark = new Uint8Array(width * height)
  const lines = labels.map((label, i) => {
    const top = 20 + 24 * i
    for (let y = top + 2; label.startsWith('+') && y < top + 14; y++)
      for (const x of [36, 37, 44, 45]) dark[y * width + x] = 255
    const text = wordAt('bdhkl', 60, top)
    return label === '' || label.startsWith('+') ? [text] : [wordAt(label, 36, top), text]
  })
  return withSequences(lines, { width, height, dark }).map((line) =>
    line
      .map((word) => word.text)
      .join(' ')
      .replace(/ ?bdhkl$/, ''),
  )
}

test('a label that was misread is the one between its neighbours', () => {
  expect(labelsOf('A.', 'B.', 'G.', 'D.')).toEqual(['A.', 'B.', 'C.', 'D.'])
  expect(labelsOf('i.', 'ii.', 'ii.', '证', 'v.')).toEqual(['i.', 'ii.', 'iii.', 'iv.', 'v.'])
})

test('the comma of a label is a dot', () => {
  expect(labelsOf('i.', 'ii,', 'iii.')).toEqual(['i.', 'ii.', 'iii.'])
  expect(labelsOf('1,', '2.')).toEqual(['1.', '2.'])
})

test('a label without its dot, and one that was joined with a word, are labels', () => {
  expect(labelsOf('i,', 'ii', 'iii.')).toEqual(['i.', 'ii.', 'iii.'])
  expect(labelsOf('i', 'ii.', 'iii.')).toEqual(['i.', 'ii.', 'iii.'])
  const ink = { width, height, dark: new Uint8Array(width * height) }
  const lines = ['A.', '8.1', 'C.'].map((label, i) => [
    { ...wordAt(label, 36, 20 + 24 * i), width: label === '8.1' ? 32 : 14 },
    wordAt('bdhkl', label === '8.1' ? 80 : 60, 20 + 24 * i),
  ])
  const texts = withSequences(lines, ink).map((line) => line.map((word) => word.text))
  expect(texts).toEqual([
    ['A.', 'bdhkl'],
    ['B.', '1', 'bdhkl'],
    ['C.', 'bdhkl'],
  ])
})

test('a label that was lost is there where its ink is', () => {
  expect(labelsOf('1.', '+', '3.')).toEqual(['1.', '2.', '3.'])
  expect(labelsOf('1.', '', '+', '3.')).toEqual(['1.', '', '2.', '3.'])
  expect(labelsOf('1.', '', '3.')).toEqual(['1.', '', '3.'])
})

test('labels that are no sequence stay', () => {
  for (const labels of [
    ['1.', '2.', '1.', '2.'],
    ['A.', 'G.', 'K.'],
    ['1.', '2.1', '2.'],
    ['1,', '2,', '3,'],
    ['2)', '3.'],
  ])
    expect(labelsOf(...labels)).toEqual(labels)
})
