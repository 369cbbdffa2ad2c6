import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onePage, pdfFile, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { askPoppler, convertWith, type Options, runWith } from './options.ts'
import { requirement } from './requirements.ts'

// Options of PDF to Word, Markdown and HTML.

const client = someClient()

const toMarkdown = async (pdf: Uint8Array, options: Options) =>
  Buffer.from(await convertWith(client, 'pdf-to-md', new Uint8Array(pdf), options)).toString()

const words = ['Apples', 'Pears', 'Plums', 'Quinces']
const content = (word: string) =>
  `BT /F1 14 Tf 72 700 Td (${word} are what this page tells of.) Tj 0 -40 Td (More of ${word} here.) Tj ET`

/** Four pages, each about a fruit. */
const pages = pdfFile([
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [${words.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] /Count 4 >>`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ...words.flatMap((word, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    { dictionary: '', stream: content(word) },
  ]),
])

test(`${requirement('pdf-options.pages', 'pdf-options.page-marks')} pages and their marks`, async () => {
  const text = await toMarkdown(pages, { pages: '2,4-', pageMarks: true })
  expect(text).toMatch(/^<!-- page 2 -->\s+Pears[\s\S]*<!-- page 4 -->\s+Quinces/)
  expect(text).not.toMatch(/Apples|Plums|page 1/)
  const html = await convertWith(client, 'pdf-to-html', new Uint8Array(pages), {
    pages: '2,4-',
    pageMarks: true,
  })
  expect(Buffer.from(html).toString()).toMatch(/id="page-2"[^>]*><\/span><p>Pears[\s\S]*id="page-4"/)
  const word = await convertWith(client, 'pdf-to-docx', new Uint8Array(pages), {
    pages: '2,4-',
    pageMarks: true,
  })
  expect(unzip(word).get('word/document.xml')?.toString()).toMatch(
    /w:name="page_2"[\s\S]*Pears[\s\S]*w:name="page_4"/,
  )
  const beyond = await runWith(client, 'pdf-to-md', new Uint8Array(pages), { pages: '9' })
  expect(beyond.error).toMatch(/^unsupported: .*4 pages.*`pages`/)
})

test(`${requirement('pdf-options.password')} a password`, async () => {
  const files = new URL('../packages/test-support/src/office/', import.meta.url)
  for (const cipher of ['', '-aes-128', '-aes-256']) {
    const file = readFileSync(new URL(`protected${cipher}.pdf`, files))
    expect(await toMarkdown(file, { password: 'secret' }), cipher).toContain('A letter about mosses')
  }
  const locked = readFileSync(new URL('protected.pdf', files))
  const wrong = await runWith(client, 'pdf-to-docx', new Uint8Array(locked), { password: '--secret' })
  expect(wrong.error).toMatch(/^password-protected: .*`password` does not open/)
  const missing = await runWith(client, 'pdf-to-docx', new Uint8Array(locked), {})
  expect(missing.error).toMatch(/^password-protected: .*option `password`/)
})

/** A picture of a page of text. */
const picture = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-scan-'))
  try {
    writeFileSync(join(folder, 'text.pdf'), onePage('BT /F1 28 Tf 72 700 Td (Kilns fire clay.) Tj ET'))
    execFileSync('pdftoppm', [
      '-r',
      '100',
      '-jpeg',
      '-singlefile',
      join(folder, 'text.pdf'),
      join(folder, 'scan'),
    ])
    return readFileSync(join(folder, 'scan.jpg'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const scan = (): Buffer => scannedPage(picture(), { width: 850, height: 1100 })

test(`${requirement('pairs.text-layer')} scans and pictures become PDF/A that can be searched`, async () => {
  const archived = async (pair: string, file: Uint8Array, options: Options) =>
    askPoppler('pdftotext', ['-'], await convertWith(client, pair, new Uint8Array(file), options))
  expect(await archived('pdf-to-pdfa', scan(), {})).toContain('Kilns fire clay.')
  expect(await archived('pdf-to-pdfa', scan(), { ocr: 'never' })).not.toContain('clay')
  expect(await archived('jpg-to-pdfa', picture(), { languages: ['eng'] })).toContain('Kilns fire clay.')
})

test(`${requirement('pdf-options.ocr', 'pdf-options.languages', 'pdf-options.pictures')} text recognition and pictures`, {
  timeout: 120_000,
  tags: 'slow',
}, async () => {
  const scanned = scan()
  const never = await toMarkdown(scanned, { ocr: 'never', pictures: 'embedded' })
  expect(never).not.toContain('clay')
  expect(never).toContain('data:image/')
  const bare = await convertWith(client, 'pdf-to-docx', new Uint8Array(scanned), {
    ocr: 'auto',
    languages: ['eng'],
    pictures: 'left-out',
  })
  const parts = unzip(bare)
  expect(
    parts
      .get('word/document.xml')
      ?.toString()
      .replaceAll(/<[^>]+>/g, ''),
  ).toContain('Kilns fire clay.')
  expect([...parts.keys()].some((name) => name.startsWith('word/media/'))).toBe(false)
  const unknown = await runWith(client, 'pdf-to-html', new Uint8Array(scanned), { languages: ['qqq'] })
  expect(unknown.error).toMatch(/^unsupported: .*language qqq\b.*\beng\b/)

  const plain = onePage('BT /F1 28 Tf 72 700 Td (Kilns) Tj ET')
  const always = await toMarkdown(plain, { ocr: 'always' })
  expect(always).toContain('Kilns')
  // A remark at the end mentions it.
  expect(always).toContain('recognised')
})
