import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentsOf } from '../../attacks/world.ts'

// What the program makes of real PDFs is tested in its own package; here it is the way through the box.
const minimalPdf = (text: string) => onePage(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`)

describe('PDF to what people can edit', () => {
  let kiln: TestConverter
  beforeAll(async () => {
    kiln = await openTestConverter({ pairs: pairsOf('pdf') })
  })
  afterAll(() => kiln.close())

  const convert = async (content: string | Uint8Array, to: 'docx' | 'md' | 'html') => {
    const progress: number[] = []
    const onProgress = (fraction: number) => progress.push(fraction)
    return { path: await kiln.convert(content, 'pdf', to, { onProgress }), progress }
  }

  test('Word: the text is there, and pandoc reads it', async () => {
    const { path, progress } = await convert(minimalPdf('Fired clay lasts'), 'docx')
    const { stdout } = await promisify(execFile)('pandoc', ['-f', 'docx', '-t', 'plain', path])
    expect(stdout).toContain('Fired clay lasts')
    expect(progress.length).toBeGreaterThan(0)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test.each(['md', 'html'] as const)('%s', async (to) => {
    const { path } = await convert(minimalPdf('Fired clay lasts'), to)
    expect(await readFile(path, 'utf8')).toContain('Fired clay lasts')
  })

  test.each(['docx', 'md'] as const)('a scan is read in the box, and the %s says so', async (to) => {
    const page = join(kiln.folder, 'page')
    await writeFile(`${page}.pdf`, minimalPdf('Fired clay lasts'))
    await promisify(execFile)('pdftoppm', ['-r', '150', '-jpeg', '-singlefile', `${page}.pdf`, page])
    const scan = scannedPage(await readFile(`${page}.jpg`), { width: 1275, height: 1650 })
    const { path } = await convert(scan, to)
    const text = contentsOf(await readFile(path))
    expect(text).toContain('Fired clay lasts')
    expect(text).toContain('recognised from pictures')
  })

  test('a PDF that is none fails with its word', async () => {
    await expect(convert('%PDF-1.4\nnothing of use', 'docx')).rejects.toMatchObject({ word: 'corrupt-input' })
  })
})
