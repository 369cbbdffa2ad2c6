import { docxWith, openDocument } from '@kiln/test-support/documents.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { zip } from '@kiln/test-support/zip.ts'

// Small files that want much: each asks one engine for as much time or memory as it can get out of it. They are
// made by rule, so that one can be made worse by another number.

export interface Attack {
  name: string
  pair: string
  lane: Lane
  make(): Buffer
  options?: Readonly<Record<string, unknown>>
  /** Instead of more copies: the body of an agent call, sent again and again, about the converted file. */
  agentCall?(jobId: string): string
}

export type Lane = 'document' | 'office' | 'pdf' | 'video'

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Every cell shows the same long text; the file holds it once. */
function sharedStrings(rows: number, columns: number, length: number): Buffer {
  const letter = (column: number) =>
    String.fromCharCode(65 + Math.floor(column / 26)) + String.fromCharCode(65 + (column % 26))
  const row = (number: number) =>
    `<row r="${number}">${Array.from(
      { length: columns },
      (_, column) => `<c r="${letter(column)}${number}" t="s"><v>0</v></c>`,
    ).join('')}</row>`
  const relations = (list: readonly [string, string][]) =>
    `<Relationships xmlns="${packageRelations}">${list
      .map(
        ([type, target], id) =>
          `<Relationship Id="r${id + 1}" Type="${relation}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`
  const override = (part: string, type: string) =>
    `<Override PartName="${part}" ContentType="${sheetType}.${type}+xml"/>`
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/worksheets/sheet1.xml', 'worksheet')}${override('/xl/sharedStrings.xml', 'sharedStrings')}</Types>`,
    },
    { name: '_rels/.rels', content: relations([['officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${namespace}" xmlns:r="${relation}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ]),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${namespace}"><sheetData>${Array.from({ length: rows }, (_, n) => row(n + 1)).join('')}</sheetData></worksheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst xmlns="${namespace}"><si><t>${'word '.repeat(length / 5)}</t></si></sst>`,
    },
  ])
}

/** A macro that calls the one before it twice, and so on. */
const doubling = (levels: number) =>
  [
    '\\newcommand{\\a}{x}',
    ...Array.from({ length: levels }, (_, n) => {
      const name = (level: number) => `\\a${'b'.repeat(level)}`
      return `\\newcommand{${name(n + 1)}}{${name(n)}${name(n)}}`
    }),
    `\\a${'b'.repeat(levels)}`,
  ].join('\n')

/** A GIF of one colour, as large as the format allows in both directions. */
function largeGif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a____\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0____\0\x02\x02\x44\x01\0;', 'latin1')
  for (const at of [6, 24]) {
    head.writeUInt16LE(width, at)
    head.writeUInt16LE(height, at + 2)
  }
  return head
}

/** An e-mail of parts within parts, each with a long body. */
function nestedMail(levels: number): string {
  const open = (level: number) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`
  const parts = Array.from({ length: levels }, (_, level) => open(level)).join('')
  return `From: a@example.org\r\nSubject: x\r\n${parts}Content-Type: text/html\r\n\r\n${'<table><tr><td>'.repeat(20_000)}x`
}

const toolCall = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

export const attacks: readonly Attack[] = [
  {
    name: 'an archive of ten thousand parts',
    pair: 'html-to-pdf',
    lane: 'document',
    make: () =>
      zip([
        { name: 'index.html', content: '<img src="a/1.svg">'.repeat(1000) },
        ...Array.from({ length: 9990 }, (_, n) => ({ name: `a/${n}.svg`, content: '<svg/>'.repeat(50) })),
      ]),
  },
  {
    name: 'an archive that unpacks to much',
    pair: 'latex-to-html',
    lane: 'document',
    make: () => zip([{ name: 'main.tex', content: `\\begin{document}${'a '.repeat(20 * 1024 * 1024)}` }]),
  },
  {
    name: 'an e-mail of parts within parts',
    pair: 'eml-to-pdf',
    lane: 'document',
    make: () => Buffer.from(nestedMail(200)),
  },
  {
    name: 'an e-mail of many recipients',
    pair: 'eml-to-md',
    lane: 'document',
    make: () =>
      Buffer.from(
        `From: a@example.org\r\nSubject: x\r\nTo: ${'"a, b" <a@example.org>,\r\n '.repeat(200_000)}b@example.org\r\n\r\nx`,
      ),
  },
  {
    name: 'a table of contents of fifty thousand headings',
    pair: 'md-to-pdf',
    lane: 'document',
    options: { toc: true },
    make: () => Buffer.from('# heading\n\n'.repeat(50_000)),
  },
  {
    name: 'text recognition at the highest resolution',
    pair: 'pdf-to-docx',
    lane: 'pdf',
    options: { ocr: 'always' },
    make: () => onePage('0 0 m 600 800 l S '.repeat(1000)),
  },
  {
    name: 'pages of a text that is all headings',
    pair: 'html-to-md',
    lane: 'document',
    make: () => Buffer.from('<h1>a</h1>'.repeat(300_000)),
    agentCall: (jobId) => toolCall('check_conversion', { job_id: jobId, max_characters: 200 }),
  },
  {
    name: 'agent calls of twelve megabytes',
    pair: 'md-to-html',
    lane: 'document',
    make: () => Buffer.from('x'),
    agentCall: () => `[${'{},'.repeat(4 * 1024 * 1024 - 10)}{}]`,
  },
  {
    name: 'sixty thousand brackets',
    pair: 'md-to-html',
    lane: 'document',
    make: () => Buffer.from('['.repeat(60_000)),
  },
  {
    name: 'nested quotations',
    pair: 'md-to-docx',
    lane: 'document',
    make: () => Buffer.from(`${'> '.repeat(2000)}x\n\n`.repeat(20)),
  },
  {
    name: 'a macro that doubles',
    pair: 'latex-to-html',
    lane: 'document',
    make: () => Buffer.from(doubling(40)),
  },
  {
    name: 'a hundred thousand nested boxes',
    pair: 'html-to-pdf',
    lane: 'document',
    make: () => Buffer.from(`<!doctype html><body>${'<div>'.repeat(100_000)}x`),
  },
  {
    name: 'a field that is begun two hundred thousand times',
    pair: 'odt-to-pdf',
    lane: 'office',
    make: () => openDocument('text', '<text:date '.repeat(200_000)),
  },
  {
    name: 'a long text in every cell',
    pair: 'xlsx-to-pdf',
    lane: 'office',
    make: () => sharedStrings(2000, 50, 30_000),
  },
  {
    name: 'a hundred megabytes of one letter',
    pair: 'docx-to-pdf',
    lane: 'office',
    make: () => docxWith(`<w:p><w:r><w:t>${'a'.repeat(100 * 1024 * 1024)}</w:t></w:r></w:p>`),
  },
  {
    name: 'a page of a million strokes',
    pair: 'pdf-to-docx',
    lane: 'pdf',
    make: () => onePage(`0 0 m ${'100 100 l 3 7 l '.repeat(1_000_000)} S`),
  },
  {
    name: 'a picture of four thousand million points',
    pair: 'gif-to-mp4',
    lane: 'video',
    make: () => largeGif(65_535, 65_535),
  },
]
