import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConversionFailed } from '../../src/failure.ts'
import { type Canary, linkFollowingLibreOffice, openCanary } from '../fixtures/canary.ts'
import { againstPlain } from '../fixtures/plain-engine.ts'
import { openWarmOffice, type WarmOffice } from '../fixtures/warm-office.ts'
import { linkRows } from './libreoffice-rows.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

// Every way in which a document can refer to external resources. All of them are opened once without a sandbox, in one
// LibreOffice process that is configured to trust documents and to follow links: links that are followed there must not
// be followed in the sandbox.

const plainEngine = againstPlain('libreoffice-core')
let kiln: WarmOffice
let canary: Canary
let followed: ReadonlySet<string>

const pathOf = (row: number) => `/row-${row}.${linkRows[row]?.from}`
const attackOf = (row: number) => linkRows[row]?.attack(new URL(pathOf(row), canary.url).href) ?? ''

beforeAll(async () => {
  kiln = await openWarmOffice()
  canary = await openCanary()
  await plainEngine(async () => {
    await linkFollowingLibreOffice(
      linkRows.map(({ from }, row) => ({ name: `attack-${row}.${from}`, content: attackOf(row) })),
      canary,
    )
    followed = canary.paths()
  })
})
afterAll(async () => {
  await canary.close()
  await kiln.close()
})

describe('a document that points at the network', () => {
  test.each(linkRows.map(({ name, followedBare }, row) => ({ name, row, followedBare })))(
    '$name',
    async ({ row, followedBare }) => {
      await plainEngine(async () => {
        if (followedBare) expect(followed).toContain(pathOf(row))
      })
      canary.forget()
      const { from } = linkRows[row] ?? { from: 'docx' as const }
      const outcome = await kiln.convert(attackOf(row), from, 'pdf').catch((error: unknown) => error)
      // Either it is converted without the linked content, or it fails with a failure word and a message without a
      // path.
      if (typeof outcome !== 'string') {
        expect(outcome).toBeInstanceOf(ConversionFailed)
        expect(String(outcome)).not.toMatch(/\/tmp\/|\/home|\/root|kiln-/)
      }
      expect([...canary.paths()]).toEqual([])
      expect(kiln.takeWays()).toEqual(['warm'])
    },
  )
})
