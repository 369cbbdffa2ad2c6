import { describe, expect, it } from 'vitest'
import { createProgressReader, onlyRising } from './progress.ts'

function fractionsOf(total: number | undefined, lines: string[]) {
  const fractions: number[] = []
  const reader = createProgressReader(total, (fraction) => fractions.push(fraction))
  for (const line of lines) reader.onLine(line)
  return { fractions, written: reader.writtenSeconds() }
}

describe('createProgressReader', () => {
  it('turns written time into fractions of the whole', () => {
    const { fractions, written } = fractionsOf(10, ['frame=3', 'out_time_us=2500000', 'out_time_us=5000000'])
    expect(fractions).toEqual([0.25, 0.5])
    expect(written).toBe(5)
  })

  it('never goes back, never above 1, and ignores nonsense', () => {
    const lines = [
      'out_time_us=6000000',
      'out_time_us=3000000',
      'out_time_us=N/A',
      'out_time_us=-5',
      'out_time_us=1e9',
    ]
    expect(fractionsOf(10, [...lines, 'out_time_us=99000000']).fractions).toEqual([0.6, 1])
  })

  it('says nothing where the length is unknown', () => {
    expect(fractionsOf(undefined, ['out_time_us=6000000'])).toEqual({ fractions: [], written: 6 })
  })
})

describe('onlyRising', () => {
  it('holds back what is not news', () => {
    const seen: number[] = []
    const report = onlyRising((fraction) => seen.push(fraction))
    for (const fraction of [0.5, 0.2, 0.5, 0.9, 7, 1]) report(fraction)
    expect(seen).toEqual([0.5, 0.9, 1])
  })
})
