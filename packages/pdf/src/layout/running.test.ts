import { expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { textRunOf } from '../lines/test-text-runs.ts'
import type { Picture } from '../read/page.ts'
import { findRunning, runningPictures } from './running.ts'

const pageWith = (likeness: number, y0: number) => ({
  height: 800,
  pictures: [{ box: { x0: 70, y0, x1: 140, y1: y0 + 40 }, likeness } as Picture],
})

it('the logo of most pages is the logo of one that packs it otherwise', () => {
  const alike = [0, 1, 2].map(() => pageWith(8386, 14))
  expect(runningPictures([...alike, pageWith(6480, 14)]).size).toBe(4)
})

it('another picture at the place of those in the text is none of them', () => {
  const alike = [0, 1, 2].map(() => pageWith(8386, 300))
  expect(runningPictures([...alike, pageWith(6480, 300)]).size).toBe(3)
})

const textPage = (texts: readonly TextRun[]) => ({ height: 800, textRuns: texts })
const rowAt = (y: number, ...texts: string[]): TextRun[] => texts.map((t, i) => textRunOf(t, 50 + 150 * i, y))
const headersOf = (pages: readonly (readonly TextRun[])[]): string[][] =>
  findRunning(pages.map(textPage)).header.map((own) => own.map((p) => p.text))

it('the header row of a table that is repeated on the next pages is none', () => {
  const first = [...rowAt(60, 'Staff directory'), ...rowAt(200, 'Name', 'Room'), ...rowAt(222, 'Ann', 'Hall')]
  const next = (...cells: string[]) => [...rowAt(60, 'Name', 'Room'), ...rowAt(82, ...cells)]
  expect(headersOf([first, next('Bob', 'Bar'), next('Cid', 'Cellar')])).toEqual([[], [], []])
})

it('a running header stays one above rows with the same numbers on each page', () => {
  const page = (task: string) => [
    ...rowAt(30, 'Refurbishment of the hall', 'Estimate C'),
    ...rowAt(80, 'No.', 'Task', 'Hours'),
    ...rowAt(95, '1', task, '12'),
    ...rowAt(110, '2', `${task} again`, '14'),
  ]
  const title = [...rowAt(30, 'Refurbishment of the hall', 'Estimate C'), ...rowAt(200, 'Cost estimate')]
  const header = ['Refurbishment of the hall', 'Estimate C']
  expect(headersOf([title, page('paint'), page('tile')])).toEqual([header, header, header])
})
