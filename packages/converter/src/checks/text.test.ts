import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkText } from './text.ts'

let path: string
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'kiln-check-text-')), 'output')
})
afterAll(() => rm(join(path, '..'), { recursive: true, force: true }))

const verdict = async (content: Buffer | string) => {
  await writeFile(path, content)
  return checkText(path).then(
    () => 'good',
    (error: Error) => error.message,
  )
}

// Files are read in chunks of 64 KiB, so the position of a character relative to the end of a chunk matters.
const piece = 65_536
const nearPieceEnd = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -5, max: 5 }))
  .map(([count, aside]) => count * piece + aside)
const letter = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
  .filter((text) => text.trim() !== '')

test('any text of any length and alignment is good', async () => {
  await fc.assert(
    fc.asyncProperty(nearPieceEnd, letter, fc.nat(400), async (before, text, after) => {
      const content =
        'a'.repeat(before) + text.replaceAll('\0', 'x') + text.replaceAll('\0', 'x').repeat(after)
      expect(await verdict(content)).toBe('good')
    }),
    { numRuns: 150 },
  )
})

test('bytes that are no UTF-8 are found wherever they are', async () => {
  const broken = [[0xff], [0xc3], [0xe4, 0xb8], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80], [0xc0, 0x80]]
  await fc.assert(
    fc.asyncProperty(
      nearPieceEnd,
      fc.constantFrom(...broken),
      fc.nat(70_000),
      async (before, bytes, after) => {
        const content = Buffer.concat([
          Buffer.from('ж'.repeat(Math.floor(before / 2))),
          Buffer.from(bytes),
          Buffer.from('z'.repeat(after)),
        ])
        expect(await verdict(content)).toMatch(/encod/i)
      },
    ),
    { numRuns: 80 },
  )
})

test('nothing but white space says nothing, however long', async () => {
  expect(await verdict(' \n\t'.repeat(60_000))).toMatch(/blank/)
  expect(await verdict(`${' '.repeat(3 * piece)}x`)).toBe('good')
})
