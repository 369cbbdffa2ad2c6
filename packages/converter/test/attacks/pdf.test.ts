// @module-tag slow

import { readFile } from 'node:fs/promises'
import { ConversionFailed } from '@kiln/converter'
import { pairsOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, it } from 'vitest'
import { type PdfRow, pdfRows } from './pdf-rows.ts'
import { contentsOf } from './world.ts'

// Malicious PDFs through the engine, in a pre-warmed sandbox, as in the service: every conversion ends in time, with
// the legitimate text or with a failure word, never with an internal error.

const kiln = useTestConverter({ pairs: pairsOf('pdf'), withPool: true })

async function convert(row: PdfRow): Promise<{ made: string; word: string; sentence: string }> {
  try {
    const path = await kiln.convert(row.file(), 'pdf', 'docx')
    return { made: contentsOf(await readFile(path)), word: '', sentence: '' }
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
