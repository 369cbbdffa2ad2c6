import { expect, it } from 'vitest'
import { textRunOf } from '../lines/test-text-runs.ts'
import { pageFrames } from './frames.ts'

it('a logo beside the running header is not the top of the text', () => {
  const column = (y0: number) => {
    const box = { x0: 70, y0, x1: 140, y1: 700 }
    return { box, items: [{ kind: 'table' as const, box, table: { box } as never }] }
  }
  const page = (y0: number) => ({
    page: { width: 600, height: 800 },
    bands: [{ box: { x0: 70, y0, x1: 140, y1: 700 }, columns: [column(y0)] }],
  })
  const header = [textRunOf('Running', 300, 47, 10)]
  const tops = (headers: (typeof header)[]) =>
    pageFrames([page(14), page(72), page(72)], headers).map((f) => Math.round(f.top))
  expect(tops([header, header, header])).toEqual([49, 72, 72])
  expect(tops([[], [], []])).toEqual([14, 72, 72])
})

it('short lines show the right edge only where sentences wrap', () => {
  const box = { x0: 30, y0: 50, x1: 330, y1: 300 }
  const page = (text: string) => {
    const items = Array.from({ length: 12 }, (_, i) => {
      const textRun = {
        ...textRunOf(text, 30, 60 + 12 * i, 10),
        box: { x0: 30, x1: 330, y0: 50 + 12 * i, y1: 60 + 12 * i },
      }
      return { kind: 'line' as const, box: textRun.box, baseline: textRun.baseline, textRuns: [textRun] }
    })
    return [{ page: { width: 600, height: 800 }, bands: [{ box, columns: [{ box, items }] }] }]
  }
  expect(pageFrames(page('running text'), [[]])[0]?.right).toBeLessThan(340)
  expect(pageFrames(page('An entry.'), [[]])[0]?.right).toBe(570)
})
