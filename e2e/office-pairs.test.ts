import { readFile } from 'node:fs/promises'
import { docxWith, epub, openDocument, paragraph, xlsx } from '@kiln/test-support/documents.ts'
import { keynoteFile, numbersFile, pagesFile } from '@kiln/test-support/iwork.ts'
import { vsdx, wpd } from '@kiln/test-support/other-programs.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { siblingOf } from '@kiln/test-support/siblings.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { wordFile } from './documents.ts'
import { convertWith, runWith } from './options.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'
import { bytesOf } from './service.ts'

const client = someClient()
const words = 'Kiln office words'

test(`${requirement('pairs.other-programs')} a text of one program becomes one of another`, async () => {
  const rtf = bytesOf(`{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}\\f0 ${words}\\par}`)
  const parts = unzip(await client.convert('rtf-to-docx', rtf))
  expect(String(parts.get('word/document.xml'))).toContain(words)
})

test(`${requirement('pairs.old-texts')} an RTF text becomes Markdown and plain text`, async () => {
  const rtf = bytesOf(`{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}\\f0 {\\b ${words}}\\par}`)
  expect(textOf(await client.convert('rtf-to-md', rtf))).toBe(`**${words}**\n`)
  expect(textOf(await client.convert('rtf-to-txt', rtf))).toBe(`${words}\n`)
})

test(`${requirement('pairs.templates-and-macros')} a document with macros leaves them behind, and the report says so`, async () => {
  const job = await client.run('docm-to-odt', new Uint8Array(siblingOf(wordFile(words), 'docm')))
  expect(job.status, String(job.error)).toBe('done')
  const parts = unzip(new Uint8Array(await (await fetch(job.downloadUrl ?? '')).arrayBuffer()))
  expect(String(parts.get('content.xml'))).toContain(words)
  expect([...parts.keys()].filter((name) => /basic|script|vba/i.test(name))).toEqual([])
  const report = (await client.report(job.jobId)).body as { leftOut: unknown[] }
  expect(report.leftOut).toEqual([{ what: 'macros', count: 1 }])
})

const bytes = (content: Buffer) => new Uint8Array(content)
const textOf = (content: Uint8Array) => Buffer.from(content).toString()
const rows = [
  ['Name', 'a|b'],
  ['Äpfel', 'said "so"'],
]
const book = bytes(xlsx({ rows }, { rows: [['Second']] }))

test(`${requirement('pairs.sheets-to-csv')} a workbook becomes CSV`, async () => {
  const job = await runWith(client, 'xlsx-to-csv', book, {})
  expect(await (await fetch(job.downloadUrl ?? '')).text()).toBe('Name,a|b\r\nÄpfel,"said ""so"""\r\n')
  const report = (await client.report(job.jobId)).body as { leftOut: unknown[] }
  expect(report.leftOut).toEqual([{ what: 'sheets', count: 1 }])
  expect(textOf(await convertWith(client, 'xlsx-to-csv', book, { sheet: '2' }))).toBe('Second\r\n')
})

test(`${requirement('pairs.sheets-to-text')} a workbook and CSV become Markdown and HTML`, async () => {
  const table = '| Name | a\\|b |\n| --- | --- |\n| Äpfel | said "so" |\n'
  expect(textOf(await client.convert('xlsx-to-md', book))).toContain(`## Sheet1\n\n${table}\n## Sheet2\n`)
  expect(textOf(await convertWith(client, 'xlsx-to-md', book, { sheet: 'Sheet2' }))).not.toContain('Name')
  const csv = bytesOf('Name,a|b\nÄpfel,"said ""so"""\n')
  expect(textOf(await client.convert('csv-to-md', csv))).toBe(`${table}\n`)
  expect(textOf(await client.convert('csv-to-html', csv))).toContain(
    '<td dir="auto">said &quot;so&quot;</td>',
  )
})

test(`${requirement('pairs.slides-to-text')} slides become Markdown and HTML`, async () => {
  const frame = (content: string, more = '') =>
    `<draw:frame ${more} svg:width="9cm" svg:height="3cm">${content}</draw:frame>`
  const presentation = 'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
  const text = (content: string) => `<draw:text-box><text:p>${content}</text:p></draw:text-box>`
  const deck = bytes(
    openDocument(
      'presentation',
      `<draw:page draw:name="p" ${presentation}>${frame(text('A title'), 'presentation:class="title" presentation:style-name="s"')}${frame(text(words))}` +
        `<presentation:notes>${frame(text('Say it slowly.'), 'presentation:class="notes" presentation:style-name="s"')}</presentation:notes></draw:page>`,
      {
        before:
          '<office:automatic-styles><style:style style:name="s" style:family="presentation"/></office:automatic-styles>',
      },
    ),
  )
  expect(textOf(await client.convert('odp-to-md', deck))).toBe(
    `## A title\n\n${words}\n\n### Notes\n\nSay it slowly.\n\n`,
  )
  const withoutNotes = await convertWith(client, 'odp-to-md', deck, { slides: ['shown'] })
  expect(textOf(withoutNotes)).toBe(`## A title\n\n${words}\n\n`)
  const options = { slides: ['hidden'], pictures: 'left-out' }
  const html = textOf(await convertWith(client, 'odp-to-html', deck, options))
  expect(html).toContain('<h2 dir="auto">A title</h2>')
  expect(html).not.toContain('slowly')
})

test(`${requirement('pairs.plain-text')} texts, pages, slides and PDF become plain text`, async () => {
  expect(textOf(await client.convert('docx-to-txt', wordFile(words)))).toBe(`${words}\n`)
  expect(
    textOf(await client.convert('epub-to-txt', bytes(epub(`<h1>One</h1><p><b>${words}</b></p>`)))),
  ).toMatch(new RegExp(`One\\n+${words}\\n$`))
  expect(textOf(await client.convert('md-to-txt', bytesOf(`# One\n\n**${words}**\n`)))).toBe(
    `One\n\n${words}\n`,
  )
  expect(
    textOf(
      await client.convert(
        'html-to-txt',
        bytesOf(`<html><head><title>T</title></head><body><b>${words}</b></body></html>`),
      ),
    ),
  ).toBe(`${words}\n`)
  const page = onePage(`BT /F1 12 Tf 72 700 Td (${words}) Tj ET`)
  expect(textOf(await client.convert('pdf-to-txt', bytes(page)))).toBe(`${words}\n`)
})

test(`${requirement('sources.other-programs')} documents of other programs become PDF`, async () => {
  const files: readonly (readonly [string, Buffer])[] = [
    ['pages', pagesFile(words)],
    ['numbers', numbersFile([[words]])],
    ['key', keynoteFile(words)],
    ['vsdx', vsdx(words)],
    ['wpd', wpd(`${words}\n`)],
  ]
  for (const [from, file] of files)
    expect(await pdfText(await client.convert(`${from}-to-pdf`, bytes(file))), from).toContain(words)
  const publication = await readFile(
    new URL('../packages/test-support/src/office/text-boxes.pub', import.meta.url),
  )
  expect(await pdfText(await client.convert('pub-to-pdf', bytes(publication)))).toContain('0123456789')
})

test(`${requirement('pairs.page-pictures', 'picture-options.pages-dpi')} pages become pictures`, async () => {
  const file = bytes(
    docxWith(`${paragraph('One')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph('Two')}`),
  )
  const picture = Buffer.from(await convertWith(client, 'docx-to-png', file, { dpi: 30 }))
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  const job = await runWith(client, 'docx-to-png', file, { dpi: 30, pages: '1-2' })
  const answer = await fetch(job.downloadUrl ?? '')
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toMatch(/\.zip/)
  const files = unzip(new Uint8Array(await answer.arrayBuffer()))
  expect([...files.keys()]).toEqual(['page-1.png', 'page-2.png'])
})

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test(`${requirement('markdown-options.pictures-beside')} pictures come beside the Markdown`, async () => {
  const job = await runWith(client, 'html-to-md', bytesOf(`<p>${words}</p><img src="${dot}" alt="dot">`), {
    pictures: 'beside',
  })
  const answer = await fetch(job.downloadUrl ?? '')
  expect(answer.headers.get('content-type')).toBe('application/zip')
  const files = unzip(new Uint8Array(await answer.arrayBuffer()))
  expect([...files.keys()].sort()).toEqual(['document.md', 'pictures/1.png'])
  expect(String(files.get('document.md'))).toContain('![dot](pictures/1.png)')
})

test(`${requirement('markdown-options.chunk-size')} Markdown comes in chunks`, async () => {
  const page = bytesOf(`<h1>Glaze</h1><p>${'red '.repeat(60)}</p><h2>Ash</h2><p>${'grey '.repeat(60)}</p>`)
  const text = textOf(await convertWith(client, 'html-to-md', page, { chunkSize: 400 }))
  expect(text).toMatch(/^<!-- chunk 1: Glaze -->\n\n# Glaze\n[\s\S]*<!-- chunk 2: Glaze > Ash -->\n\n## Ash/)
})

test(`${requirement('interchange-options.old-texts')} an RTF text takes the options of DOCX`, async () => {
  const rtf = bytesOf(
    '{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}{\\s1\\outlinelevel0\\f0 Glaze\\par}\\pard\\plain\\f0 Words\\par}',
  )
  const text = textOf(await convertWith(client, 'rtf-to-md', rtf, { numberSections: true }))
  expect(text).toContain('# 1 Glaze')
})
