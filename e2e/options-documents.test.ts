import { docxWith } from '@kiln/test-support/documents.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { askPoppler, convertWith, type Options, pagesOf } from './options.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'
import { bytesOf } from './service.ts'

// Options of pages, of books, and of documents among each other.

const client = someClient()

const convert = (pair: string, text: string, options: Options) =>
  convertWith(client, pair, bytesOf(text), options)

const sizeOf = async (pdf: Uint8Array): Promise<number[]> => {
  const [, width, height] =
    /Page size:\s+([\d.]+) x ([\d.]+)/.exec(await askPoppler('pdfinfo', [], pdf)) ?? []
  return [Math.round(Number(width)), Math.round(Number(height))]
}

/** The distance of the first word from the left and upper edge, in points. */
const placeOf = async (pdf: Uint8Array): Promise<number[]> => {
  const html = await askPoppler('pdftotext', ['-bbox', '-'], pdf)
  const [, x, y] = /<word xMin="([\d.]+)" yMin="([\d.]+)"/.exec(html) ?? []
  return [Number(x), Number(y)]
}

const page =
  '<!DOCTYPE html><style>@page { size: A3; margin: 5cm } body { margin: 0 }</style><h1>Opening</h1><p>alpha' +
  '<h2 style="break-before: page">Closing</h2><p>omega'

test(`${requirement('page-options.page-size', 'page-options.landscape', 'page-options.margin', 'page-options.page-numbers')} a page`, async () => {
  const asked = { pageSize: 'A5', landscape: true, margin: '20mm', pageNumbers: true }
  const pdf = await convert('html-to-pdf', page, asked)
  expect(await sizeOf(pdf)).toEqual([595, 420])
  const [x = 0] = await placeOf(pdf)
  expect(x).toBeCloseTo((20 / 25.4) * 72, 0)
  expect((await pdfText(pdf)).replaceAll(/\s+/g, ' ')).toMatch(/^Opening alpha 1 Closing omega 2 $/)
})

test(`${requirement('page-options.toc')} a table of contents before a page`, async () => {
  const pdf = await convert('html-to-pdf', page, { toc: true })
  expect(await sizeOf(pdf)).toEqual([842, 1191])
  expect((await pdfText(pdf)).replaceAll(/\s+/g, ' ')).toMatch(/^Opening Closing Opening alpha Closing omega/)
})

const book = '# One\n\nalpha\n\n# Two\n\nbeta\n\n## Three\n\ngamma\n\n# Four\n\nomega\n'

test(`${requirement('page-options.toc', 'page-options.page-numbers', 'page-options.page-size')} a book`, async () => {
  const bare = await convert('md-to-pdf', book, { toc: false, pageNumbers: false, pageSize: 'Letter' })
  expect(await sizeOf(bare)).toEqual([612, 792])
  expect((await pdfText(bare)).replaceAll(/\s+/g, ' ')).toMatch(
    /^One alpha Two beta Three gamma Four omega $/,
  )
  const full = await convert('md-to-pdf', '# Only\n\nalpha\n', { toc: true, pageNumbers: true })
  expect((await pdfText(full)).replaceAll(/\s+/g, ' ')).toMatch(/^Only Only alpha 1 $/)
  expect(await pagesOf(full)).toBe(1)
})

test(`${requirement('interchange-options.toc', 'interchange-options.number-sections', 'interchange-options.pictures')} headings and pictures`, async () => {
  const picture =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const source = `${book}\n![A red dot](${picture})\n`
  const asked = { toc: true, numberSections: true, pictures: 'left-out' }
  const html = Buffer.from(await convert('md-to-html', source, asked)).toString()
  expect(html).toMatch(/<nav id="TOC"[\s\S]*href="#three"/)
  expect(html).toMatch(/<h2[^>]*><span[^>]*>2\.1<\/span> Three/)
  expect(html).toContain('A red dot')
  expect(html).not.toContain('<img')
  const rst = Buffer.from(await convert('md-to-rst', source, asked)).toString()
  expect(rst).toMatch(/^\.\. contents::/)
  expect(rst).toMatch(/^2\.1 Three$/m)
  expect(rst).not.toContain('data:image')
  const asOdt = { toc: true, numberSections: true, pictures: 'embedded' }
  const parts = unzip(await convert('md-to-odt', source, asOdt))
  expect(parts.get('content.xml')?.toString()).toMatch(/<text:index-body>.*"#three">2\.1 Three</)
  expect(parts.get('content.xml')?.toString()).toMatch(/>2\.1 Three</)
  expect([...parts.keys()].some((name) => name.startsWith('Pictures/'))).toBe(true)
})

test(`${requirement('interchange-options.markdown')} kinds of Markdown`, async () => {
  const table = '<table><tr><th>a</th></tr><tr><td>b</td></tr></table><p><del>gone</del></p>'
  const written = async (markdown: string) =>
    Buffer.from(await convert('html-to-md', table, { markdown })).toString()
  expect(await written('gfm')).toMatch(/\| a *\|[\s\S]*~~gone~~/)
  expect(await written('commonmark')).toMatch(/<table>[\s\S]*<s>gone<\/s>/)
  expect(await written('pandoc')).toMatch(/ {2}a\n[\s\S]*---[\s\S]*~~gone~~/)
  const read = async (markdown: string) =>
    Buffer.from(await convert('md-to-html', 'H~2~O and ~~gone~~\n', { markdown })).toString()
  expect(await read('gfm')).toContain('<del>gone</del>')
  expect(await read('commonmark')).toContain('~~gone~~')
  expect(await read('pandoc')).toContain('H<sub>2</sub>O')
})

test(`${requirement('interchange-options.tracked-changes')} tracked changes`, async () => {
  const by = 'w:author="Ann" w:date="2024-01-01T00:00:00Z"'
  const file = docxWith(
    `<w:p><w:r><w:t>Kept</w:t></w:r><w:ins w:id="1" ${by}><w:r><w:t>new</w:t></w:r></w:ins>` +
      `<w:del w:id="2" ${by}><w:r><w:delText>old</w:delText></w:r></w:del></w:p>`,
  )
  const changed = async (trackedChanges: string) =>
    Buffer.from(await convertWith(client, 'docx-to-md', new Uint8Array(file), { trackedChanges })).toString()
  expect(await changed('left-out')).toBe('Keptnew\n')
  expect(await changed('rejected')).toBe('Keptold\n')
  expect(await changed('shown')).toBe('Kept<u>new</u>~~old~~\n')
})

test(`${requirement('text-options.encoding')} the encoding of a text`, async () => {
  const table = Buffer.from('x,\xc3\xee\xed\n', 'latin1')
  const made = await convertWith(client, 'csv-to-md', table, { encoding: 'windows-1251' })
  expect(new TextDecoder().decode(made)).toContain('Гон')
})

test(`${requirement('mail-options.attachments')} attachments of an e-mail`, async () => {
  const lines = ['From: a@example.org', 'Subject: x', 'Content-Type: multipart/mixed; boundary=m', '', '--m']
  const part = [
    '',
    'Words.',
    '--m',
    'Content-Disposition: attachment; filename=a.txt',
    '',
    'Attached.',
    '--m--',
    '',
  ]
  const mail = [...lines, ...part].join('\r\n')
  expect(new TextDecoder().decode(await convert('eml-to-md', mail, { attachments: 'appended' }))).toContain(
    'Attached.',
  )
  expect(new TextDecoder().decode(await convert('eml-to-md', mail, { attachments: 'listed' }))).not.toContain(
    'Attached.',
  )
})
