import { describe, expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { hasHiddenText, isScan, withStamps } from './scans.ts'

const page = { x0: 0, y0: 0, x1: 600, y1: 800 }
const picture = {
  images: [{ object: 1, matrix: [600, 0, 0, 800, 0, 0] as const, box: page }],
}
const line = 'Downloaded by somebody from an archive on the Internet'

describe('pages that are pictures', () => {
  it('are scans also where a program stamped a line on their edge', () => {
    expect(isScan(picture, glyphsOf(line, 50, 790, 8), page)).toBe(true)
    expect(isScan(picture, glyphsOf(line, 50, 400, 8), page)).toBe(false)
    expect(isScan({ images: [] }, [], page)).toBe(false)
  })

  it('have text where it is hidden, not where it is stamped', () => {
    const stamp = glyphsOf(line, 50, 790, 8)
    expect(hasHiddenText(stamp)).toBe(false)
    expect(hasHiddenText(stamp.map((g) => ({ ...g, invisible: true })))).toBe(true)
  })

  it('keep what is typeset on them instead of what was recognised there', () => {
    const stamp = glyphsOf('No. 123', 50, 790, 8)
    const all = withStamps([...glyphsOf('text', 50, 400, 10), ...glyphsOf('N0. I23', 50, 790, 8)], stamp)
    expect(all.map((g) => g.text).join('')).toBe('textNo. 123')
  })

  it('keep none of the hidden text where they are recognised anew', () => {
    const hidden = glyphsOf('tcxt', 50, 400, 10).map((g) => ({ ...g, invisible: true }))
    const all = withStamps(glyphsOf('text', 50, 400, 10), hidden)
    expect(all.map((g) => g.text).join('')).toBe('text')
  })
})
