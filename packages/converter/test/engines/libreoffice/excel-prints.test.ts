import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { workbook } from '@kiln/test-support/workbook.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Geometry and looks of sheets in the PDF, as Excel for Windows prints them.

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const run = promisify(execFile)

let kiln: TestConverter
beforeAll(async () => {
  kiln = await openTestConverter({ pairs: pairsOf('libreoffice') })
})
afterAll(() => kiln.close())

/** Lower edges of words by their text, in points from the top of the page. */
async function wordsIn(content: Buffer): Promise<Map<string, { left: number; bottom: number }>> {
  const { stdout } = await run('pdftotext', ['-bbox', await kiln.convert(content, 'xlsx', 'pdf'), '-'])
  const words = stdout.matchAll(/<word xMin="([\d.]+)" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</g)
  return new Map(
    Array.from(words, ([, left, bottom, text = '']) => [
      text,
      { left: Number(left), bottom: Number(bottom) },
    ]),
  )
}

// 30 points are printed as 29.04 with Calibri 11. LibreOffice reads whole pixels of a file by Microsoft: 28.5.
test.each(['Microsoft Excel', 'Microsoft Macintosh Excel', 'Other'])(
  'rows of a workbook by %s have the height that Excel prints',
  async (application) => {
    const rows = Array.from(
      { length: 21 },
      (_, index) =>
        `<row r="${index + 1}" ht="30"><c r="A${index + 1}" t="inlineStr"><is><t>Bryum${index}</t></is></c></row>`,
    )
    const words = await wordsIn(workbook({ rows: [], cells: rows.join('') }, { application }))
    const height = ((words.get('Bryum20')?.bottom ?? 0) - (words.get('Bryum0')?.bottom ?? 0)) / 20
    expect(height).toBeCloseTo(29.04, 1)
  },
)
