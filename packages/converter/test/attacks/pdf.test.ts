import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairs } from '../../src/catalog/pairs.ts'
import { pdfEngine } from '../../src/engines/pdf/engine.ts'
import { ConversionFailed } from '../../src/failure.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { type PdfRow, pdfRows } from './pdf-rows.ts'
import { contentsOf, openWorld, type World } from './world.ts'

// Hostile PDFs through the engine, in the box that the service uses: every one ends, in time, with the text
// that is honest in it or with a failure word, never with an error of ours.

let world: World
let opened: OpenSandbox
beforeAll(async () => {
  world = await openWorld()
  opened = await openSandbox({ allowUnsandboxed: false, log: { info: () => {}, warn: () => {} } })
})
afterAll(async () => {
  await opened.close()
  await world.close()
})

const pair = pairs.find(({ slug }) => slug === 'pdf-to-docx')

async function convert(row: PdfRow): Promise<{ made: string; word: string; sentence: string }> {
  if (!pair) throw new Error('no pair pdf-to-docx')
  const { inFolder, outFolder } = await world.makeJob()
  await writeFile(join(inFolder, 'input.pdf'), row.file())
  try {
    const name = await pdfEngine.convert({
      pair,
      from: 'pdf',
      to: 'docx',
      inFolder,
      inputName: 'input.pdf',
      outFolder,
      sandbox: opened.sandbox,
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    return { made: contentsOf(await readFile(join(outFolder, name))), word: '', sentence: '' }
  } catch (error) {
    if (!(error instanceof ConversionFailed)) throw error
    return { made: '', word: error.word, sentence: error.message }
  }
}

describe('a hostile PDF ends within the limits', () => {
  it.each(pdfRows)('$name', { timeout: 300_000 }, async (row) => {
    const started = performance.now()
    const { made, word, sentence } = await convert(row)
    expect((performance.now() - started) / 1000).toBeLessThan(row.within)
    if (row.fails !== undefined) expect(word).toBe(row.fails)
    else if (word !== '') expect(row.mayFail ?? []).toContain(word)
    else if (row.keeps !== undefined) expect(made).toContain(row.keeps)
    expect(sentence).not.toMatch(/wasm|\/(usr|var|tmp|in|out|kiln)\//)
  })
})
