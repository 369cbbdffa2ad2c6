import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConversionFailed } from '@kiln/converter'
import { pairs } from '@kiln/converter/catalog'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAs } from '../../packages/converter/src/catalog/formats.ts'
import { inspectInput } from '../../packages/converter/src/catalog/inspect-input.ts'
import { sourceShows } from '../../packages/converter/src/checks/source/shows.ts'
import { mutate } from './mutate/mutate.ts'
import { documentSeeds, type Seed } from './seeds.ts'

// A part of `npm run fuzz`, without engines: code that reads a file in our own process returns a result or a failure of
// the file, for any content.

const copies = 8

let folder: string
let seeds: Seed[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-fuzz-test-'))
  seeds = await documentSeeds()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('mutated files are detected and read, or fail with a documented code', async () => {
  const path = join(folder, 'file')
  const outcomes = new Map<string, number>()
  for (const [number, { format, content }] of seeds.entries()) {
    const pair = pairs.find(({ from }) => from === format)
    const other = seeds[(number + 1) % seeds.length]
    if (!pair || !other) throw new Error(`no pair from ${format}`)
    for (let copy = 0; copy < copies; copy += 1) {
      const seed = number * copies + copy
      await writeFile(path, mutate(content, other.content, seed))
      const outcome = await Promise.resolve(inspectInput(path, pair)).then(
        () => 'fits',
        (error: unknown) => (error instanceof ConversionFailed ? error.word : String(error)),
      )
      expect(outcome, `${format} ${seed}`).toMatch(
        /^(?:fits|corrupt-input|wrong-format|unsupported|too-complex|password-protected)$/,
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      // A source that cannot be read is an error, and the check then has nothing to compare.
      if (outcome === 'fits') await sourceShows(path, readAs(format)).catch(() => {})
    }
  }
  // Most mutations leave a file that is still looked into.
  expect(outcomes.get('fits')).toBeGreaterThan(seeds.length)
  expect(outcomes.get('corrupt-input')).toBeGreaterThan(10)
})

test('the same seed makes the same file', () => {
  const [first, second] = seeds
  if (!first || !second) throw new Error('no seeds')
  expect(mutate(first.content, second.content, 7)).toEqual(mutate(first.content, second.content, 7))
  expect(mutate(first.content, second.content, 7)).not.toEqual(mutate(first.content, second.content, 8))
})
