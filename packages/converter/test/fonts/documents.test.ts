import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createColdRunner } from '../../src/engines/libreoffice/cold-soffice.ts'
import { createLibreOfficeEngine } from '../../src/engines/libreoffice/engine.ts'
import { docxWith } from '../fixtures/documents.ts'
import { openWorkbench, type Workbench } from '../fixtures/workbench.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Documents that name Microsoft's fonts, converted for real and measured from outside. The widths are those that
// Word wrote into its PDFs, in thousandths of an em.

const run = promisify(execFile)
let bench: Workbench
const warm = createLibreOfficeEngine()
beforeAll(async () => {
  bench = await openWorkbench()
  await warm.prepare?.(bench.sandbox, bench.jobs)
})
afterAll(() => bench.close())

const paragraph = (font: string, text: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}"/><w:sz w:val="100"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`

const words = [
  ['Aptos', 'name', 551.3 + 531.2 + 853 + 526.9],
  ['Cambria', 'oooo', 4 * 531],
  ['Consolas', 'width', 5 * 549.8],
  ['Segoe UI', 'wind', 723 + 242 + 566 + 589],
  ['Verdana', 'Text', 615.7 + 595.7 + 591.8 + 394],
  ['Malgun Gothic', '한국어', 3 * 1000],
] as const

for (const [way, engine] of [
  ['warm', warm],
  ['cold', createLibreOfficeEngine(createColdRunner())],
] as const) {
  test(`words are as wide as in Word (${way})`, async () => {
    const document = docxWith(words.map(([font, text]) => paragraph(font, text)).join(''))
    const path = await bench.convert(engine, document, 'docx', 'pdf')
    const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
    const found = [...stdout.matchAll(/<word xMin="([\d.]+)" .*?xMax="([\d.]+)" .*?>(.*?)<\/word>/g)]
    for (const [font, text, thousandths] of words) {
      const [, left, right] = found.find((word) => word[3] === text) ?? []
      expect(Math.abs((Number(right) - Number(left)) / 50 - thousandths / 1000), font).toBeLessThan(0.01)
    }
  })

  test(`lines of an East Asian font are 1.3 times as high as its box (${way})`, async () => {
    const document = docxWith(paragraph('Malgun Gothic', '한글').repeat(3))
    const path = await bench.convert(engine, document, 'docx', 'pdf')
    const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
    const tops = [...stdout.matchAll(/<word .*?yMin="([\d.]+)"/g)].map((word) => Number(word[1]))
    expect(tops).toHaveLength(3)
    expect(((tops[2] ?? 0) - (tops[1] ?? 0)) / 50).toBeCloseTo(1.3 * (1.0884 + 0.2417), 1)
  })
}
