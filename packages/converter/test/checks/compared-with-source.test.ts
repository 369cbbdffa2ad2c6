import { readFile } from 'node:fs/promises'
import { docx, docxWith, epub, odt, openDocument, xlsx } from '@kiln/test-support/documents.ts'
import { vsdx } from '@kiln/test-support/other-programs.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { describe, expect, test } from 'vitest'
import type { FormatName } from '../../src/catalog/pairs.ts'
import { longPdf, pdf, saying } from './pdf-pages.ts'
import { useVerdict } from './verdict.ts'

const verdict = useVerdict()

// An output without any word, or without any visible content, of its source is never done.

const sentence = 'These words were written down by hand before anybody thought of printing them'
const eightWords = 'orchard barley harvest village winter market letter account'

test('words of the source count on whichever page they are', async () => {
  const input = { content: eightWords, from: 'txt' } as const
  expect(await verdict(longPdf('In winter the village'), 'pdf', input)).toBe('good')
  expect(await verdict(longPdf('something else'), 'pdf', input)).toMatch(/^internal: /)
})

test.each<[FormatName, Buffer | string]>([
  ['docx', docx('Something else')],
  ['md', 'Something else'],
])('%s that says nothing of what its source says', async (to, output) => {
  const source = { content: odt(sentence), from: 'odt' } as const
  expect(await verdict(output, to, source)).toMatch(/^internal: /)
  expect(await verdict(to === 'md' ? 'And before that' : docx('And before that'), to, source)).toMatch(
    /^good: Most words of the source are not in the output/,
  )
  expect(await verdict(to === 'md' ? sentence : docx(sentence), to, source)).toBe('good')
})

test.each<[FormatName, Buffer | string]>([
  ['txt', sentence],
  ['md', sentence],
  ['html', `<!doctype html><title>t</title><p>${sentence}`],
  ['docx', docx(sentence)],
  ['odt', odt(sentence)],
  ['xlsx', xlsx({ rows: sentence.split(' ').map((word) => [word]) })],
  ['docx', docx('Это предложение написано от руки, прежде чем кто-либо подумал о печати книги')],
  ['docx', docx('这些文字是在任何人想到印刷之前用手写下来的文字')],
])('a blank PDF though the %s has words', async (from, content) => {
  expect(await verdict(pdf(''), 'pdf', { content, from })).toMatch(/^internal: /)
  expect(await verdict(pdf(saying('quite another text')), 'pdf', { content, from })).toMatch(/^internal: /)
})

const drawn = '<draw:rect svg:x="5cm" svg:y="5cm" svg:width="4cm" svg:height="4cm"/>'
const framed = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
const onPage = (shapes: string) => `<draw:page>${shapes}</draw:page>`
const officeFile = (name: string) =>
  readFile(new URL(`../../../test-support/src/office/${name}`, import.meta.url))

describe('a PDF without ink though the source shows something', () => {
  test.each<[FormatName, string, () => Buffer | string | Promise<Buffer>]>([
    ['doc', 'a letter', () => officeFile('letter.doc')],
    ['ppt', 'slides', () => officeFile('slides.ppt')],
    ['xls', 'a table', () => officeFile('table.xls')],
    ['rtf', 'a letter', () => officeFile('letter.rtf')],
    ['rtf', 'a picture', () => '{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\*\\shppict{\\pict\\pngblip 89504e47}}}'],
    ['odg', 'a rectangle', () => openDocument('drawing', onPage(drawn))],
    ['odp', 'a picture', () => openDocument('presentation', onPage(framed))],
    ['docx', 'a picture', () => docxWith('<w:p><w:r><w:drawing><a:blip/></w:drawing></w:r></w:p>')],
    ['docx', 'Arabic', () => docx('مرحبا بالعالم')],
    ['txt', 'Thai', () => 'สวัสดีชาวโลก'],
    ['xlsx', 'numbers', () => xlsx({ rows: [], cells: '<row r="1"><c r="A1"><v>12</v></c></row>' })],
    ['epub', 'a chapter', () => epub('<p>A chapter</p>')],
  ])('%s, %s', async (from, _, make) => {
    const content = await make()
    expect(await verdict(pdf(''), 'pdf', { content, from })).toMatch(/^internal: /)
    expect(await verdict(pdf('50 50 1 1 re f'), 'pdf', { content, from })).toBe('good')
  })
})

test.each<[FormatName, string, Buffer | string]>([
  ['docx', 'without a word', docxWith('<w:p/>')],
  [
    'docx',
    'with hidden words',
    docxWith(`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>${sentence}</w:t></w:r></w:p>`),
  ],
  ['odg', 'without a shape', openDocument('drawing', onPage(''))],
  [
    'odp',
    'with notes alone',
    openDocument(
      'presentation',
      onPage(`<presentation:notes><text:p>${sentence}</text:p></presentation:notes>`),
    ),
  ],
  [
    'rtf',
    'without a word',
    '{\\rtf1{\\fonttbl{\\f0 Liberation Sans;}}{\\stylesheet{\\s0 Normal;}}{\\*\\generator A writer;}\\par }',
  ],
  [
    'xlsx',
    'with a hidden column',
    xlsx({ before: '<cols><col min="1" max="1" hidden="1"/></cols>', rows: [['Word']] }),
  ],
  ['html', 'with hidden words', `<!doctype html><p style="display: none">${sentence}`],
])('a blank PDF is good for a %s %s', async (from, _, content) => {
  expect(await verdict(pdf(''), 'pdf', { content, from })).toBe('good')
})

test('paper of one colour is no ink, but may be a drawing as white as its paper', async () => {
  const paper = pdf('1 1 1 rg 0 0 200 200 re f')
  const slides = { content: await officeFile('slides.ppt'), from: 'ppt' } as const
  const drawing = { content: openDocument('drawing', onPage(drawn)), from: 'odg' } as const
  expect(await verdict(paper, 'pdf', slides)).toMatch(/^internal: /)
  expect(await verdict(paper, 'pdf', drawing)).toBe('good')
})

test('a document that contradicts itself is to blame for what it lacks', async () => {
  const content = await officeFile('slides.ppt')
  // The last edit names one before it that comes after it.
  const edit = content.lastIndexOf(Buffer.from([0, 0, 0xf5, 0x0f, 0x1c, 0, 0, 0]))
  content.writeUInt32LE(0x7fffffff, edit + 16)
  expect(await verdict(pdf(''), 'pdf', { content, from: 'ppt' })).toMatch(/^corrupt-input: /)
  expect(await verdict(pdf('50 50 1 1 re f'), 'pdf', { content, from: 'ppt' })).toBe('good')
})

test.each<[string, (name: string, content: string) => string | null]>([
  ['without the list of its pages', (name, content) => (name.endsWith('pages.xml.rels') ? null : content)],
  [
    'with pages that nothing leads to',
    (name, content) => (/document\.xml\.rels$/.test(name) ? null : content),
  ],
  ['without a page that is listed', (name, content) => (name.endsWith('page1.xml') ? null : content)],
  [
    'with XML that is not well formed',
    (name, content) => (name.endsWith('page1.xml') ? content.replace('</Text>', '</') : content),
  ],
])('a package %s is to blame for what it lacks', async (_, change) => {
  // The words of the second page are compared when the first is missing.
  const second = Buffer.from(`<PageContents><Text>${eightWords}</Text></PageContents>`)
  const list = (content: string) =>
    content.replace('</Relationships>', '<Relationship Id="rId2" Target="page2.xml"/></Relationships>')
  const parts = [...unzip(vsdx(sentence)), ['visio/pages/page2.xml', second] as const]
  const damaged = parts.flatMap(([name, bytes]) => {
    const text = bytes.toString()
    const content = change(name, name.endsWith('pages.xml.rels') ? list(text) : text)
    return content === null ? [] : [{ name, content }]
  })
  expect(await verdict(pdf(''), 'pdf', { content: vsdx(sentence), from: 'vsdx' })).toMatch(/^internal: /)
  const source = { content: zip(damaged), from: 'vsdx' } as const
  expect(await verdict(pdf(''), 'pdf', source)).toMatch(/^corrupt-input: /)
  expect(await verdict(pdf(saying(eightWords)), 'pdf', source)).toBe('good')
})

test('text that tracked changes have deleted need not be in the output', async () => {
  const deleted = Array.from(
    { length: 500 },
    (_, index) => `gone${index.toString(26).replaceAll(/\d/g, 'z')}`,
  )
  const changes = `<text:tracked-changes><text:p>${deleted.join(' ')}</text:p></text:tracked-changes>`
  const content = openDocument('text', `${changes}<text:p>${sentence}</text:p>`)
  expect(await verdict(pdf(saying(sentence)), 'pdf', { content, from: 'odt' })).toBe('good')
  expect(await verdict(pdf(saying('something else')), 'pdf', { content, from: 'odt' })).toMatch(/^internal: /)
})

test('strings that no cell of a workbook has need not be in the PDF', async () => {
  const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${eightWords}</t></si></sst>`
  const parts = [...unzip(xlsx({ rows: [['7']] }))].map(([name, content]) => ({ name, content }))
  const content = zip([...parts, { name: 'xl/sharedStrings.xml', content: strings }])
  expect(await verdict(pdf(saying('7')), 'pdf', { content, from: 'xlsx' })).toBe('good')
})

test('text outside of the print area need not be in the PDF', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => [
    `aside${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index / 26)}`,
  ])
  const area =
    '<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">Sheet1!$C$1</definedName></definedNames>'
  const parts = [...unzip(xlsx({ rows }))].map(([name, bytes]) => ({
    name,
    content: bytes.toString().replace('</sheets>', `</sheets>${name === 'xl/workbook.xml' ? area : ''}`),
  }))
  expect(await verdict(pdf(saying('1 2 3')), 'pdf', { content: zip(parts), from: 'xlsx' })).toBe('good')
  expect(await verdict(pdf(saying('1 2 3')), 'pdf', { content: xlsx({ rows }), from: 'xlsx' })).toMatch(
    /^internal: /,
  )
})

test('a PDF that says the same', async () => {
  expect(await verdict(pdf(saying(sentence)), 'pdf', { content: docx(sentence), from: 'docx' })).toBe('good')
})

test('a blank PDF though a short text has a word', async () => {
  expect(await verdict(pdf(''), 'pdf', { content: 'words', from: 'txt' })).toMatch(/^internal: /)
})
