import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConversionFailed } from '../../src/failure.ts'
import { type Canary, linkFollowingLibreOffice, openCanary } from '../fixtures/canary.ts'
import { againstPlain } from '../fixtures/plain-engine.ts'
import { openWarmOffice, type WarmOffice } from '../fixtures/warm-office.ts'
import { linkRows } from './libreoffice-rows.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

// Every way in which a document can point out of itself. Without a box, in a LibreOffice that is told to
// trust and to follow, they are all opened once, in one process: what is followed there must not be in the box.

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
      // Either it is converted without what it points at, or it fails by a failure word that tells no path.
      if (typeof outcome !== 'string') {
        expect(outcome).toBeInstanceOf(ConversionFailed)
        expect(String(outcome)).not.toMatch(/\/tmp\/|\/home|\/root|kiln-/)
      }
      expect([...canary.paths()]).toEqual([])
      expect(kiln.takeWays()).toEqual(['warm'])
    },
  )
})
