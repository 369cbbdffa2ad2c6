import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pairsOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formats } from '../../src/catalog/formats.ts'
import { readers, writers } from '../../src/engines/pandoc/formats.ts'
import { ConversionFailed } from '../../src/failure.ts'
import { describeAtLevels } from '../describe-at-levels.ts'
import { type PandocRow, pandocRows } from './pandoc-rows.ts'
import { contentsOf, holdsSecret, openWorld, type World } from './world.ts'

// Runs every row twice: without a sandbox the attack must behave as the row states (otherwise the test proves nothing),
// and through the engine, in a pre-warmed sandbox, it must fail, while the legitimate part of the file is converted.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('without a sandbox', () => {
  it.each(pandocRows)('$from to $to: $name', async (row) => {
    const { inFolder, outFolder } = await world.makeJob()
    const input = join(inFolder, `input.${formats[row.from].extension}`)
    const output = join(outFolder, `output.${formats[row.to].extension}`)
    await writeFile(input, row.file(world))
    world.takeHits()
    const options = ['-s', '-f', readers[row.from], '-t', writers[row.to], ...(row.bareOptions ?? [])]
    const { ok } = await world.runBare('/usr/bin/pandoc', [...options, input, '-o', output], outFolder)
    const made = ok ? contentsOf(await readFile(output)) : ''
    const hit = world.takeHits().length > 0 || holdsSecret(made)
    if (row.bare === 'fails') expect(ok).toBe(false)
    else expect(hit).toBe(row.bare === 'hits')
  })
})

describeAtLevels('in the sandbox: %s', (level) => {
  const kiln = useTestConverter({ levels: [level], pairs: pairsOf('pandoc'), withPool: true })

  const convert = async (row: PandocRow) => {
    world.takeHits()
    try {
      const path = await kiln.convert(row.file(world), row.from, row.to)
      return { made: contentsOf(await readFile(path)), error: '' }
    } catch (error) {
      if (!(error instanceof ConversionFailed)) throw error
      return { made: '', error: `${error.word}: ${error.message}` }
    }
  }

  it.each(pandocRows)('$from to $to: $name', async (row) => {
    const { made, error } = await convert(row)
    expect(world.takeHits()).toEqual([])
    expect(holdsSecret(made + error)).toBe(false)
    expect((made + error).includes(kiln.folder)).toBe(false)
    if ('keeps' in row.sandboxed) {
      expect(error).toBe('')
      expect(made).toContain(row.sandboxed.keeps)
    } else {
      expect(error.split(':')[0]).toBe(row.sandboxed.fails)
      expect(error).not.toMatch(/pandoc|\/(usr|var|tmp|in|out)\//)
    }
  })
})
