import { describe, expect, it } from 'vitest'
import { readKept, type Scores, scoreFixtures } from './fixtures.ts'

// The gate against regressions: documents, invoices, forms and price lists whose truth is known. The mean of each kind
// of document and part may not fall below the kept one (`node tools/evidence/main.ts keep`) by more than chance: a rule
// that helps most documents may cost one of them a little.

/** How much the score of one document varies when an unrelated rule changes. */
const spread = 0.03

describe('documents whose truth is known', () => {
  it('are understood as well as they were', { timeout: 180_000 }, async () => {
    const kept = readKept()
    const scores = await scoreFixtures()
    expect(Object.keys(scores).sort()).toEqual(Object.keys(kept).sort())
    expect(findFallen(kept, scores)).toEqual([])
  })

  it('are compared by kind', () => {
    const kept = { 'invoice-1': { words: 1 }, 'invoice-2': { words: 1 }, 'prices-1': { words: 1 } }
    expect(findFallen(kept, { ...kept, 'invoice-1': { words: 0.97 } })).toEqual([])
    expect(findFallen(kept, { ...kept, 'invoice-1': { words: 0.94 } })).toEqual([
      'invoice words: 1.000 → 0.970',
    ])
    expect(findFallen(kept, { ...kept, 'prices-1': { words: 0.96 } })).toEqual([
      'prices words: 1.000 → 0.960',
    ])
  })
})

function findFallen(kept: Scores, scores: Scores): string[] {
  const byKind = Map.groupBy(Object.keys(kept), (name) => name.split('-')[0] ?? '')
  return [...byKind].flatMap(([kind, names]) => {
    const parts = new Set(names.flatMap((name) => Object.keys(kept[name] ?? {})))
    return [...parts].flatMap((part) => {
      const [last, now] = [meanOf(kept, names, part), meanOf(scores, names, part)]
      return now < last - spread / Math.sqrt(names.length)
        ? [`${kind} ${part}: ${last.toFixed(3)} → ${now.toFixed(3)}`]
        : []
    })
  })
}

function meanOf(scores: Scores, names: readonly string[], part: string): number {
  const values = names.map((name) => Object.entries(scores[name] ?? {}).find(([p]) => p === part)?.[1] ?? 0)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
