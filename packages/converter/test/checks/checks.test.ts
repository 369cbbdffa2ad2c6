import {
  docx,
  docxWith,
  epub,
  odt,
  openDocument,
  paragraph,
  png,
  xlsx,
} from '@kiln/test-support/documents.ts'
import { siblingOf } from '@kiln/test-support/siblings.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { describe, expect, test } from 'vitest'
import type { FormatName } from '../../src/catalog/pairs.ts'
import { pdf } from './pdf-pages.ts'
import { useVerdict } from './verdict.ts'

const verdict = useVerdict()
const written = pdf('BT /F 20 Tf 20 100 Td (Hello) Tj ET')

describe('good outputs pass', () => {
  test.each<[string, FormatName, () => Buffer | string]>([
    ['a PDF', 'pdf', () => written],
    ['a docx', 'docx', () => docx('Hello')],
    ['an odt', 'odt', () => withStyles(odt('Hello'))],
    ['an xlsx', 'xlsx', () => xlsx({ rows: [['Hello']] })],
    ['csv', 'csv', () => 'Grüße,1\r\n'],
    ['an epub', 'epub', () => epub('<p>Hello</p>')],
    ['html', 'html', () => '<p>Grüße</p>'],
    ['md', 'md', () => '# Grüße'],
  ])('%s', async (_, to, make) => {
    expect(await verdict(make(), to)).toBe('good')
  })

  test.each<[FormatName, string]>([
    [
      'md',
      `<p align="center"><img alt="" width="40" src="data:image/png;base64,${'iVBOR/w0KG+goAAAANS/UhEUgA'.repeat(9)}"></p>`,
    ],
    [
      'latex',
      '\\documentclass[paper=landscape]{article}\\usepackage{graphicx}\\usepackage[utf8]{inputenc}' +
        '\\begin{document}\\thispagestyle{empty}\\centering\\includegraphics[width=\\textwidth]{figures/overview}\\end{document}',
    ],
  ])('a document without words, of %s that has none to show', async (from, content) => {
    expect(await verdict(docx(''), 'docx', { content, from })).toBe('good')
  })

  test('a blank page where the input had nothing to say', async () => {
    expect(await verdict(pdf(''), 'pdf', { content: ' \n ', from: 'txt' })).toBe('good')
  })
})

// The fixture's odt has no styles; pandoc's and LibreOffice's have.
function withStyles(content: Buffer): Buffer {
  expect(content.length).toBeGreaterThan(0)
  return zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'content.xml',
      content:
        '<office:document-content xmlns:office="o"><office:body><office:text/></office:body></office:document-content>',
    },
    { name: 'styles.xml', content: '<s/>' },
    { name: 'META-INF/manifest.xml', content: '<m/>' },
  ])
}

describe('bad outputs are never done', () => {
  test.each<[string, FormatName, () => Buffer | string]>([
    ['not a PDF at all', 'pdf', () => 'PK####'],
    ['a PDF that is cut off', 'pdf', () => written.slice(0, 120)],
    ['a PDF without pages', 'pdf', () => written.replace('[3 0 R] /Count 1', '[] /Count 0')],
    ['a docx without a document', 'docx', () => zip([{ name: '[Content_Types].xml', content: '<x/>' }])],
    ['a docx that is not well formed', 'docx', () => docxWith('<w:p><w:r></w:p>')],
    [
      'a docx that refers to a missing picture',
      'docx',
      () =>
        docxWith(paragraph('x'), { relationships: [{ id: 'r', type: 'image', target: 'media/none.png' }] }),
    ],
    ['a docx that is cut off', 'docx', () => docx('Hello').subarray(0, 300)],
    ['a text instead of a workbook', 'xlsx', () => docx('Hello')],
    ['a docx with macros', 'docx', () => siblingOf(docx('Hello'), 'docm')],
    ['slides without any', 'pptx', () => zip([{ name: '[Content_Types].xml', content: '<x/>' }])],
    ['a text instead of slides', 'odp', () => withStyles(odt('Hello'))],
    ['a sheet instead of a text', 'odt', () => openDocument('spreadsheet', '')],
    [
      'an epub whose package file is missing',
      'epub',
      () =>
        zip([
          { name: 'mimetype', content: 'application/epub+zip', stored: true },
          {
            name: 'META-INF/container.xml',
            content: '<container><rootfile full-path="none.opf"/></container>',
          },
        ]),
    ],
    ['blank text', 'md', () => ' \n'],
    ['text with zero bytes', 'html', () => 'a\0b'],
    ['text that is not UTF-8', 'rst', () => Buffer.from([0x61, 0xff, 0x62])],
    ['a picture instead of a film', 'mp4', () => png],
  ])('%s', async (_, to, make) => {
    expect(await verdict(make(), to)).toMatch(/^internal: /)
  })

  test('an output that takes too much to look through is too complex, and not bad', async () => {
    const bomb = docxWith('', { entries: [{ name: 'word/media/a.xml', content: Buffer.alloc(20 << 20) }] })
    expect(await verdict(bomb, 'docx', { content: 'words', from: 'md' })).toMatch(/^too-complex: /)
  })

  test('what the sentence says names no path of the host', async () => {
    expect(await verdict('PK####', 'pdf')).not.toMatch(/\/|kiln-/)
  })
})
