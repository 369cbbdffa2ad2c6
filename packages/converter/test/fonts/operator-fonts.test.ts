// @module-tag slow

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docxWith } from '@kiln/test-support/documents.ts'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { workbook } from '@kiln/test-support/workbook.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setNames } from '../../fonts/face.ts'
import { readFont, writeFonts } from '../../fonts/sfnt.ts'
import { pairs } from '../../src/catalog/pairs.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Fonts that the operator puts into a folder while the converter is at work.

const run = promisify(execFile)
let folder: string
let kiln: TestConverter
beforeAll(async () => {
  // The engines' user has to reach it, as it reaches the folders of fonts of a system.
  folder = await mkdtemp(join(tmpdir(), 'kiln-test-fonts-'))
  await run('chmod', ['755', folder])
  kiln = await openTestConverter({
    fonts: folder,
    pairs: pairs.filter(({ slug }) => ['docx-to-pdf', 'xlsx-to-pdf', 'html-to-pdf'].includes(slug)),
  })
  await kiln.converter.prepare()
})
afterAll(async () => {
  await kiln.close()
  await rm(folder, { recursive: true })
})

async function putFont(family: string): Promise<void> {
  const base = join(import.meta.dirname, '../../fonts/build/fonts/Kiln-Mono-1-Regular.ttf')
  const font = readFont(await readFile(base))
  setNames(font.tables, { family, style: 'Regular', base: 'a substitute' })
  await writeFile(join(folder, `${family}.ttf`), writeFonts([font]), { mode: 0o644 })
}

const word = (family: string) =>
  docxWith(
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr><w:t>text</w:t></w:r></w:p>`,
  )
const page = (family: string) => `<!doctype html><p style="font-family: '${family}'">text</p>`

async function fontsOf(content: Buffer | string, from: 'docx' | 'xlsx' | 'html'): Promise<string> {
  const { stdout } = await run('pdffonts', [await kiln.convert(content, from, 'pdf')])
  return stdout
}

test('serve the next documents, of every engine, in place of a substitute too', async () => {
  expect(kiln.converter.fonts()).toEqual({ folder, families: [], fault: null })
  expect(await fontsOf(word('Corporate Mono'), 'docx')).not.toContain('CorporateMono')
  expect(await fontsOf(page('Corporate Mono'), 'html')).not.toContain('CorporateMono')
  expect(await fontsOf(word('Calibri'), 'docx')).toContain('KilnSans1')

  await putFont('Corporate Mono')
  await putFont('Calibri')
  await writeFile(join(folder, 'damaged.ttf'), 'no font')
  await expect
    .poll(() => kiln.converter.fonts()?.families, { timeout: 15_000 })
    .toEqual(['Calibri', 'Corporate Mono'])
  // The LibreOffice that serves is replaced beside its work.
  await expect
    .poll(() => fontsOf(word('Corporate Mono'), 'docx'), { timeout: 60_000, interval: 1000 })
    .toContain('CorporateMono')
  expect(await fontsOf(page('Corporate Mono'), 'html')).toContain('CorporateMono')
  const own = await fontsOf(word('Calibri'), 'docx')
  expect(own).toContain('Calibri')
  expect(own).not.toContain('KilnSans1')
  const sheet = await fontsOf(workbook({ rows: [['text']] }), 'xlsx')
  expect(sheet).toContain('Calibri')
  expect(sheet).not.toContain('Kiln')
  expect(await fontsOf(word('Cambria'), 'docx')).toMatch(/Kiln/)

  await rm(join(folder, 'Calibri.ttf'))
  await expect.poll(() => kiln.converter.fonts()?.families, { timeout: 15_000 }).toEqual(['Corporate Mono'])
  expect(await fontsOf(page('Calibri'), 'html')).toContain('KilnSans1')
})

test('a missing folder is reported, and documents are converted all the same', async () => {
  const warned: string[] = []
  const other = await openTestConverter({
    fonts: join(folder, 'nowhere'),
    waiting: 0,
    pairs: pairs.filter(({ slug }) => slug === 'html-to-pdf'),
    log: { info: () => {}, warn: (text) => void warned.push(String(text)) },
  })
  try {
    expect(other.converter.fonts()?.fault).toContain('ENOENT')
    expect(warned).toEqual([expect.stringContaining('cannot be used')])
    await other.convert(page('Arial'), 'html', 'pdf')
  } finally {
    await other.close()
  }
})
