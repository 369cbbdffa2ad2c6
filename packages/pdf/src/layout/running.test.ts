import { expect, it } from 'vitest'
import type { Picture } from '../read/page.ts'
import { runningPictures } from './running.ts'

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
