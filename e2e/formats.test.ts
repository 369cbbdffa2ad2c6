import { describe, expect, test } from 'vitest'
import { anonymous, ownClient } from './accounts.ts'
import { expectJson, expectSubmitResult } from './expectations.ts'
import { requirement } from './requirements.ts'
import { type Pair, send } from './service.ts'

const listed = async (): Promise<Pair[]> => ((await anonymous.formats()).body as { pairs: Pair[] }).pairs

describe('GET /v1/formats', () => {
  test(`${requirement('formats.no-credentials', 'formats.object-with-pairs', 'http.json-content-type')} answers anyone`, async () => {
    const answer = await anonymous.formats()
    expect(answer.status).toBe(200)
    expectJson(answer)
    expect(Object.keys(answer.body as object)).toEqual(['pairs'])
    expect((answer.body as { pairs: Pair[] }).pairs.length).toBeGreaterThan(0)
  })

  test(`${requirement('formats.no-credentials')} does not mind a wrong key`, async () => {
    const answer = await anonymous.get('/v1/formats', { authorization: 'Bearer kiln_live_wrong' })
    expect(answer.status).toBe(200)
  })

  test(`${requirement('formats.no-parameters')} gives the same list whatever the query`, async () => {
    const plain = await anonymous.formats()
    const queried = await anonymous.get('/v1/formats?from=md&page=2')
    expect(queried.status).toBe(200)
    expect(queried.body).toEqual(plain.body)
  })

  test(`${requirement('formats.exact-fields', 'formats.from-and-to', 'pair.slug-shape', 'formats.label')} lists pairs with exactly their fields`, async () => {
    const pairs = await listed()
    for (const pair of pairs) {
      expect(Object.keys(pair).sort()).toEqual(
        ['costCredits', 'freeMaxBytes', 'freeMaxMB', 'from', 'label', 'pair', 'to'].sort(),
      )
      expect(pair.from).toMatch(/^[a-z0-9]+$/)
      expect(pair.to).toMatch(/^[a-z0-9]+$/)
      expect(pair.pair).toBe(`${pair.from}-to-${pair.to}`)
      expect(pair.label.trim()).not.toBe('')
    }
    expect(new Set(pairs.map(({ pair }) => pair)).size).toBe(pairs.length)
  })

  test(`${requirement('formats.cap-in-bytes', 'formats.cap-in-megabytes', 'formats.cost', 'limits.file-size')} gives caps and costs as integers`, async () => {
    const pairs = await listed()
    for (const { freeMaxBytes, freeMaxMB, costCredits } of pairs) {
      expect(Number.isInteger(freeMaxBytes) && freeMaxBytes > 0).toBe(true)
      expect(freeMaxMB).toBe(freeMaxBytes / (1024 * 1024))
      expect(Number.isInteger(freeMaxMB)).toBe(true)
      expect(Number.isInteger(costCredits) && costCredits > 0).toBe(true)
    }
    expect(pairs.find(({ pair }) => pair === 'md-to-html')?.freeMaxMB).toBe(50)
  })

  test(`${requirement('formats.pair-is-submittable')} lists only slugs that can be submitted`, async () => {
    // More submits than one account may make in a minute, with those of other tests.
    const client = await ownClient()
    for (const { pair } of await listed()) expectSubmitResult(await client.submit({ pair, bytes: 1 }), 201)
  })

  test(`${requirement('formats.server-side-only', 'areas.browser-pairs-left-out')} lists no pair of the browser`, async () => {
    const slugs = new Set((await listed()).map(({ pair }) => pair))
    for (const slug of ['png-to-jpg', 'heic-to-jpg', 'jpg-to-pdf', 'pdf-to-png', 'mp3-to-wav', 'mp4-to-mp3'])
      expect(slugs).not.toContain(slug)
    for (const slug of ['zip-to-tar', 'pdf-to-pdf']) expect(slugs).not.toContain(slug)
  })

  test(`${requirement('base.paths-under-prefix', 'version.in-path')} is found under the prefix and the version only`, async () => {
    expect((await send(`${anonymous.origin}/v1/formats`)).status).toBe(404)
    expect((await anonymous.get('/formats')).status).toBe(404)
    expect((await anonymous.get('/v2/formats')).status).toBe(404)
  })
})
