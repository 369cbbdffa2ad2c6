import { describe, expect, it } from 'vitest'
import { readStored, type Scores, scoreFixtures } from './fixtures.ts'

// The mean of each kind of document and part may not fall below the stored one (`node tools/evidence/main.ts store`) by
// more than chance: a rule that helps most documents may cost one of them a little.

/** How much the score of one document varies when an unrelated rule changes. */
const spread = 0.03

describe('documents whose truth is known', () => {
  it('are understood as well as they were', { timeout: 180_000 }, async () => {
    const stored = readStored()
    const scores = await scoreFixtures()
    expect(Object.keys(scores).sort()).toEqual(Object.keys(stored).sort())
    expect(findFallen(stored, scores)).toEqual([])
  })

  it('are compared by kind', () => {
    const stored = { 'invoice-1': { words: 1 }, 'invoice-2': { words: 1 }, 'prices-1': { words: 1 } }
    expect(findFallen(stored, { ...stored, 'invoice-1': { words: 0.97 } })).toEqual([])
    expect(findFallen(stored, { ...stored, 'invoice-1': { words: 0.94 } })).toEqual([
      'invoice words: 1.000 → 0.970',
    ])
    expect(findFallen(stored, { ...stored, 'prices-1': { words: 0.96 } })).toEqual([
      'prices words: 1.000 → 0.960',
    ])
  })
})

function findFallen(stored: Scores, scores: Scores): string[] {
  const byKind = Map.groupBy(Object.keys(stored), (name) => name.split('-')[0] ?? '')
  return [...byKind].flatMap(([kind, names]) => {
    const parts = new Set(names.flatMap((name) => Object.keys(stored[name] ?? {})))
    return [...parts].flatMap((part) => {
      const [last, now] = [meanOf(stored, names, part), meanOf(scores, names, part)]
      return now < last - spread / Math.sqrt(names.length)
        ? [`${kind} ${part}: ${last.toFixed(3)} → ${now.toFixed(3)}`]
        : []
    })
  })
}

function meanOf(scores: Scores, names: readonly string[], part: string): number {
  const values = names.map((name) => scores[name]?.[part] ?? 0)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
