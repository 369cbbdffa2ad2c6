import { describe, expect, it } from 'vitest'
import { readKept, scoreFixtures } from './fixtures.ts'

// The gate against regressions: documents, invoices, forms and price lists whose truth is known. No part of one may
// be understood worse than when its figure was kept (`node tools/evidence/main.ts keep`).

describe('documents whose truth is known', () => {
  it('are understood as well as they were', { timeout: 180_000 }, async () => {
    const scores = await scoreFixtures()
    const kept = readKept()
    expect(Object.keys(scores).sort()).toEqual(Object.keys(kept).sort())
    const worse = Object.entries(kept).flatMap(([name, parts]) =>
      Object.entries(parts).flatMap(([part, last]) => {
        const now = Object.entries(scores[name] ?? {}).find(([p]) => p === part)?.[1] ?? 0
        return now < last - 1e-9 ? [`${name} ${part}: ${last} → ${now}`] : []
      }),
    )
    expect(worse).toEqual([])
  })
})
