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

export const attacks: readonly Attack[] = [
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
