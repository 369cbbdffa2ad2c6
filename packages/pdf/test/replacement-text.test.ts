import { onePage } from '@kiln/test-support/pdf-file.ts'
import { expect, it } from 'vitest'
import { loadPdfium } from '../src/read/pdfium.ts'
import { readPdf } from '../src/read/read.ts'

// Browsers paint the glyphs of a syllable one by one and give their letters as replacement text (ActualText).

const textOf = async (content: string): Promise<{ text: string; x0: number; x1: number }[]> => {
  const document = readPdf(await loadPdfium(), onePage(content), {
    ocrEngine: () => undefined,
    paint: false,
  })
  return (document.pages[0]?.glyphs ?? []).map((g) => ({ text: g.text, x0: g.box.x0, x1: g.box.x1 }))
}

const syllable = (first: string, move: number, second: string): string =>
  `/Span <</ActualText <feff004b0069>>> BDC ${first} Tj ${move} 0 Td ${second} Tj EMC`

it('is there once if a glyph is painted beyond the next syllable', async () => {
  const glyphs = await textOf(`BT /F1 20 Tf 72 700 Td ${syllable('(a)', 24, '(b)')} -2 0 Td (c) Tj ET`)
  expect(glyphs.map((g) => g.text).join('')).toBe('Kic')
})

it('is as wide as its glyphs', async () => {
  const glyphs = await textOf(`BT /F1 20 Tf 72 700 Td ${syllable('(a)', 11, '(b)')} 11 0 Td (c) Tj ET`)
  const [first, second, last] = glyphs
  expect(glyphs.map((g) => g.text).join('')).toBe('Kic')
  expect(first?.x0).toBeCloseTo(72, 0)
  expect(second?.x1).toBeCloseTo(last?.x0 ?? 0, 0)
})
