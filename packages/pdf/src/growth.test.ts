import { describe, expect, it } from 'vitest'
import { emptyParagraph, type Paragraph } from './blocks/block.ts'
import { fromBookmarks } from './blocks/heading-marks.ts'
import { layOut } from './layout/layout.ts'
import { attachScripts, type RawTextRun } from './lines/rows.ts'
import { glyphsOf, textRunOf } from './lines/test-text-runs.ts'
import { takeBullets } from './read/bullets.ts'
import type { Art } from './read/drawings.ts'

// A page that is twice as full may take twice the work and a little more, not four times. Counted is how often the
// stages look at a thing, which is the same on every machine.

/** The same thing; every look at one of its properties is counted. */
function watched<T extends object>(thing: T, count: () => void): T {
  return new Proxy(thing, {
    get: (target, key) => {
      count()
      return Reflect.get(target, key)
    },
  })
}

function growth<T extends object>(make: (size: number) => T[], work: (things: T[]) => void): number {
  const looks = (size: number): number => {
    let sum = 0
    work(make(size).map((thing) => watched(thing, () => sum++)))
    return sum
  }
  return looks(400) / looks(200)
}

const most = 2.6

describe('work on a full page', () => {
  it('looks for the text of a small textRun only near it', () => {
    const raw = (i: number): RawTextRun => ({
      glyphs: glyphsOf('ab', 50, 20 * i),
      x0: 50,
      x1: 60,
      y: 20 * i,
      size: i % 2 === 0 ? 10 : 6,
    })
    expect(
      growth(
        (size) => Array.from({ length: size }, (_, i) => raw(i)),
        (textRuns) => attachScripts(textRuns),
      ),
    ).toBeLessThan(most)
  })

  it('compares the baselines of two sides only where one of them is running text', () => {
    expect(
      growth(
        (size) =>
          Array.from({ length: size }, (_, i) => textRunOf('12', i % 2 === 0 ? 50 : 300, 12 * (i >> 1))),
        (textRuns) => layOut({ textRuns, tables: [], pictures: [] }),
      ),
    ).toBeLessThan(most)
  })

  it('looks for the line behind a disc only at its height', () => {
    const art = (i: number): Art => ({ box: { x0: 30, x1: 34, y0: 20 * i, y1: 20 * i + 4 }, object: 0 })
    expect(
      growth(
        (size) => Array.from({ length: size }, (_, i) => glyphsOf('a', 40, 20 * i + 5)).flat(),
        (glyphs) =>
          takeBullets(
            {
              rules: [],
              fills: [],
              images: [],
              texts: [],
              objects: 0,
              art: glyphs.map((_, i) => art(i)),
            },
            glyphs,
          ),
      ),
    ).toBeLessThan(most)
  })

  it('looks for bookmarks by their text', () => {
    const paragraph = (i: number): Paragraph => ({
      ...emptyParagraph({ x0: 0, x1: 1, y0: 0, y1: 1 }, i, undefined),
      text: `The matter of paragraph ${i}`,
    })
    expect(
      growth(
        (size) => Array.from({ length: size }, (_, i) => paragraph(i)),
        (paragraphs) =>
          fromBookmarks(
            paragraphs,
            paragraphs.map((_, i) => ({ title: `Chapter ${i} of them`, level: 1, page: -1, y: Number.NaN })),
          ),
      ),
    ).toBeLessThan(most)
  })
})
