import { docxWith } from '@kiln/test-support/documents.ts'
import { longestBlock, measureEventLoop } from '@kiln/test-support/event-loop.ts'
import { pdfFile } from '@kiln/test-support/pdf-file.ts'
import { expect, test, vi } from 'vitest'
import type { FormatName } from '../../src/catalog/pairs.ts'
import { pdf, saying } from './pdf-pages.ts'
import { useVerdict } from './verdict.ts'

// Outputs that are hard to check: a document controls its output. Valid or not, the check ends and never blocks the
// event loop.

vi.setConfig({ testTimeout: 120_000 })

const verdict = useVerdict()

const many = 200_000

/** A megabyte of text in a character that normalizes to eighteen others. */
function pdfOfLigatures(): Buffer {
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ' +
    '1 beginbfchar <41> <fdfa> endbfchar endcmap end'
  const line = `(${'A'.repeat(100)}) Tj 0 -1 Td `
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 9000] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    { dictionary: '', stream: `BT /F 1 Tf 10 9000 Td ${line.repeat(4000)} ET` },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    { dictionary: '', stream: map },
  ])
}

const links = Array.from({ length: 50_000 }, (_, index) => ({
  id: `l${index}`,
  type: 'hyperlink',
  target: 'https://example.org/',
  external: true,
}))

const outputs: [name: string, to: FormatName, content: () => Buffer | string][] = [
  [
    'a PDF of page tree nodes that do not end',
    'pdf',
    () => `${pdf(saying('x'))}${'1 0 obj<</Type/Pages/Count 1>>'.repeat(many)}`,
  ],
  [
    'a PDF of page tree nodes',
    'pdf',
    () => `${pdf(saying('x'))}${'1 0 obj<</Type/Pages/Count 1>>endobj '.repeat(many)}`,
  ],
  ['a PDF whose text is a megabyte of ligatures', 'pdf', pdfOfLigatures],
  ['a text of one word', 'md', () => 'x'.repeat(8 * 1024 * 1024)],
  ['a page of unfinished tags', 'html', () => `<p>x${'<a '.repeat(1024 * 1024)}`],
  ['a page of images', 'html', () => '<img src="data:image/png,'.repeat(many)],
  ['a document of paragraphs', 'docx', () => docxWith('<w:p/>'.repeat(1_000_000))],
  ['a document of relationships', 'docx', () => docxWith('<w:p/>', { relationships: links })],
]

const source = 'Several words that the source shows, so that the check looks for each of them in the output.'

test.each(outputs)('%s', async (_name, to, content) => {
  const made = content()
  const loop = measureEventLoop()
  const end = await verdict(made, to, { content: source, from: 'txt' })
  expect(loop.longest()).toBeLessThan(longestBlock)
  expect(end).toMatch(/^good|^[a-z-]+: \S/)
})
