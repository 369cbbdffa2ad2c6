import { describe, expect, it } from 'vitest'
import type { TextRun } from './line.ts'
import { rowsOf } from './line-rows.ts'
import { plainFont, textRunOf } from './test-text-runs.ts'

const code = { ...plainFont, name: 'LiberationMono', serif: false, mono: true }
const text = { ...plainFont, name: 'LiberationSerif' }

/** Smaller code beside text: LibreOffice aligns the tops of cells. */
const cells = (y: number, code0 = 50): TextRun[] => [
  { ...textRunOf('--code', code0, y - 2.85), size: 10, font: code },
  { ...textRunOf('what it does', 200, y), size: 12, font: text },
]

const read = (textRuns: readonly TextRun[]): string[][] =>
  rowsOf(textRuns).map((r) => r.textRuns.map((p) => p.text))

describe('cells with equal tops', () => {
  const joined = ['--code', 'what it does']
  it('are one row where that is repeated', () => {
    expect(read([100, 114, 128].flatMap((y) => cells(y)))).toEqual([joined, joined, joined])
  })

  it('may be so by chance', () => {
    const once = [['--code'], ['what it does']]
    expect(read(cells(100))).toEqual(once)
    expect(read([...cells(100), ...cells(114, 70), ...cells(128, 90)])).toEqual([...once, ...once, ...once])
  })

  it('are separate lines where they overlap or their tops differ', () => {
    const lower = [100, 114, 128].flatMap((y) =>
      cells(y).map((p) => (p.size === 12 ? { ...p, baseline: p.baseline + 3 } : p)),
    )
    expect(read(lower)).toHaveLength(6)
    expect(read([100, 114, 128].flatMap((y) => cells(y, 190)))).toHaveLength(6)
  })
})
