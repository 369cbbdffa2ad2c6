import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Cell, emptyParagraph, type Run, type Table } from '../blocks/block.ts'
import { plainFont, textRunOf } from '../lines/test-text-runs.ts'
import type { WordDocument } from '../sections/section.ts'
import { findPageMarks } from './content.ts'
import { writeDocx } from './docx.ts'
import { writeHtml } from './html.ts'
import { writeMarkdown } from './markdown.ts'
import { writeText } from './text.ts'
import { escapeXml } from './xml.ts'
import { zip } from './zip.ts'

function documentOf(...texts: string[]): WordDocument {
  const blocks = texts.map((text) => {
    const { spans } = textRunOf(text, 0, 0)
    return { ...emptyParagraph({ x0: 0, y0: 0, x1: 1, y1: 1 }, 0, undefined), text, runs: spans }
  })
  const margins = { top: 72, bottom: 72, left: 72, right: 72, header: 36, footer: 36 }
  return {
    sections: [
      {
        page: { width: 600, height: 800 },
        margins,
        columns: [{ width: 456, gap: 0 }],
        start: 'page',
        blocks,
      },
    ],
    running: { usual: { header: [], footer: [] }, first: undefined, even: undefined, firstNumber: 1 },
    notes: [],
    properties: {
      title: 'A <title>',
      author: '',
      subject: '',
      keywords: '',
      created: '',
      language: 'en',
    },
    remarks: [],
    spacing: new Map(),
  }
}

/** Of a zip file, by the header in front of it. */
function partOf(file: Buffer, name: string): string {
  const at = file.indexOf(name)
  const from = at + name.length
  return inflateRawSync(file.subarray(from, from + file.readUInt32LE(at - 12))).toString('utf8')
}

describe('writing', () => {
  it('escapes what XML forbids', () => expect(escapeXml('a<b>&"\u0000\ud800')).toBe('a&lt;b&gt;&amp;&quot;'))

  it('writes headings, and guards text that looks like markup', () => {
    const document = documentOf('Heading', '1. not a list', 'stars * and _lines_')
    const first = document.sections[0]?.blocks[0]
    if (first?.kind === 'paragraph') first.heading = 2
    expect(writeMarkdown(document)).toBe('## Heading\n\n1\\. not a list\n\nstars \\* and \\_lines\\_\n')
  })

  it('gives the title the first level and moves the other headings down', () => {
    const document = documentOf('Title', 'Part')
    for (const [level, block] of document.sections[0]?.blocks.entries() ?? [])
      if (block.kind === 'paragraph') block.heading = level
    expect(writeMarkdown(document)).toBe('# Title\n\n## Part\n')
    expect(writeHtml(document)).toMatch(/<h1>Title<\/h1>\s*<h2>Part<\/h2>/)
  })

  it('writes plain text as it stands', () => {
    expect(writeText(documentOf('1. not a list', '', 'stars * and _lines_'))).toBe(
      '1. not a list\n\nstars * and _lines_\n',
    )
  })

  it('guards every start of a line that Markdown would take for markup', () => {
    const texts = [
      '5. five',
      '12) twelve',
      '# hash',
      '- dash',
      '+ plus',
      '---',
      '~~~',
      '&copy; &c',
      '> quote',
    ]
    const guarded = ['5\\. five', '12\\) twelve', '\\# hash', '\\- dash', '\\+ plus', '\\---', '\\~~~']
    expect(writeMarkdown(documentOf(...texts))).toBe(
      `${[...guarded, '\\&copy; &c', '\\> quote'].join('\n\n')}\n`,
    )
    expect(writeMarkdown(documentOf('5.2 metres', '1999', '#1', '-5'))).toBe(
      '5.2 metres\n\n1999\n\n#1\n\n-5\n',
    )
  })

  it('leaves numbers that count on from each other alone, and ends a list before them', () => {
    const document = documentOf('item', '7. seven', 'between', '8. eight', '11. eleven')
    const item = document.sections[0]?.blocks[0]
    if (item?.kind === 'paragraph')
      item.list = {
        id: 1,
        level: 0,
        format: 'decimal',
        pattern: '%1.',
        start: 1,
        style: (item.runs[0] as Run).style,
        labelAt: 0,
        textAt: 18,
        hangs: true,
        written: '1. ',
      }
    expect(writeMarkdown(document)).toBe(
      '1. item\n\n<!-- -->\n\n7. seven\n\nbetween\n\n8. eight\n\n11\\. eleven\n',
    )
  })

  it('writes letters and Roman numbers as numbered items, below their parents', () => {
    const document = documentOf('first', 'second', 'third')
    for (const [i, p] of (document.sections[0]?.blocks ?? []).entries())
      if (p.kind === 'paragraph')
        p.list = {
          id: i,
          level: i,
          format: (['decimal', 'lowerLetter', 'lowerRoman'] as const)[i] ?? 'decimal',
          pattern: `%${i + 1}.`,
          start: 1,
          style: (p.runs[0] as Run).style,
          labelAt: 0,
          textAt: 18,
          hangs: true,
          written: ['1. ', 'a. ', 'i. '][i] ?? '',
        }
    expect(writeMarkdown(document)).toBe('1. first\n    1. second\n        1. third\n')
  })

  it('keeps numbers below others, which Markdown cannot count', () => {
    const document = documentOf('first', 'second')
    for (const [i, p] of (document.sections[0]?.blocks ?? []).entries())
      if (p.kind === 'paragraph')
        p.list = {
          id: i,
          level: i,
          format: 'decimal',
          pattern: ['%1.', '9.%2.'][i] ?? '',
          start: 9,
          style: (p.runs[0] as Run).style,
          labelAt: 0,
          textAt: 18,
          hangs: true,
          written: ['9.\t', '9.1.\t'][i] ?? '',
        }
    expect(writeMarkdown(document)).toBe('9. first\n    - 9.1. second\n')
  })

  it('keeps amounts of money from reading as formulas', () => {
    expect(writeMarkdown(documentOf('from $5 to 6$, or 7'))).toBe('from \\$5 to 6\\$, or 7\n')
    expect(writeMarkdown(documentOf('from $5 to $6'))).toBe('from $5 to $6\n')
    const document = documentOf('from $5 to 6$')
    const first = document.sections[0]?.blocks[0]
    const [run] = first?.kind === 'paragraph' ? first.runs : []
    const font = { ...plainFont, mono: true }
    if (first?.kind === 'paragraph' && run) first.runs.push({ text: '$HOME', style: { ...run.style, font } })
    expect(writeMarkdown(document)).toBe('from \\$5 to 6\\$`$HOME`\n')
  })

  it('says where a picture stood, or holds it', () => {
    const document = documentOf('before')
    const picture = {
      box: { x0: 0, y0: 0, x1: 200, y1: 100 },
      format: 'png' as const,
      bytes: Buffer.from('png'),
      likeness: 1,
      alt: '',
    }
    const small = { ...picture, box: { x0: 0, y0: 0, x1: 8, y1: 8 } }
    const first = document.sections[0]?.blocks[0]
    if (first?.kind === 'paragraph')
      first.pictures.push({ picture, placement: 'wrap' }, { picture: small, placement: 'wrap' })
    expect(writeMarkdown(document)).toBe('![picture]()\n\nbefore\n')
    expect(writeMarkdown(document, { pictures: 'embed' })).toBe(
      '![picture](data:image/png;base64,cG5n)\n\nbefore\n',
    )
  })

  it('writes tables with merged cells as HTML, others with pipes', () => {
    const cell = (text: string, column: number, columnSpan = 1): Cell => ({
      column,
      columnSpan,
      rowSpan: 1,
      continued: false,
      blocks: documentOf(text).sections[0]?.blocks ?? [],
      fill: undefined,
      borders: {},
      vertical: 'top',
      turn: 0,
      padding: { left: 0, right: 0 },
    })
    const document = documentOf()
    const table: Table = {
      kind: 'table',
      left: 0,
      columns: [50, 50],
      rows: [
        { height: 10, header: false, cells: [cell('a', 0), cell('b | c', 1)] },
        { height: 10, header: false, cells: [cell('1', 0), cell('2', 1)] },
      ],
      before: 0,
      box: { x0: 0, y0: 0, x1: 100, y1: 20 },
      page: 0,
      startsPage: false,
      startsColumn: false,
      ruled: true,
    }
    document.sections[0]?.blocks.push(table)
    expect(writeMarkdown(document)).toBe('| a | b \\| c |\n| --- | --- |\n| 1 | 2 |\n')
    expect(writeText(document)).toBe('a\tb | c\n1\t2\n')
    if (table.rows[0]) table.rows[0].cells = [cell('<both>', 0, 2)]
    expect(writeMarkdown(document)).toBe(
      '<table>\n<tr><th colspan="2">&lt;both&gt;</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n',
    )
  })

  it('marks the pages when asked to', () => {
    const document = documentOf('one', 'two', 'three')
    for (const [i, block] of (document.sections[0]?.blocks ?? []).entries()) block.page = i < 2 ? 0 : 3
    const marks = findPageMarks(document, [7, 8, 9, 10])
    expect(writeMarkdown(document, { marks })).toBe(
      '<!-- page 7 -->\n\none\n\ntwo\n\n<!-- page 10 -->\n\nthree\n',
    )
    expect(writeHtml(document, marks).match(/id="page-\d+"[^<]*<\/span><p>\w+/g)).toEqual([
      'id="page-7" role="doc-pagebreak" aria-label="7"></span><p>one',
      'id="page-10" role="doc-pagebreak" aria-label="10"></span><p>three',
    ])
    expect(writeMarkdown(document)).not.toContain('page')
  })

  it('writes HTML without letting text become elements', () => {
    const html = writeHtml(documentOf('<script>alert(1)</script>'))
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('<title>A &lt;title&gt;</title>')
  })

  it('writes the place where a word may break', () => {
    const xml = partOf(Buffer.from(writeDocx(documentOf('docu\u00adment'))), 'word/document.xml')
    expect(xml).toContain('docu</w:t><w:softHyphen/><w:t xml:space="preserve">ment')
  })

  it('writes zip files with their directory at the end', () => {
    const file = Buffer.from(zip([{ name: 'a.txt', data: Buffer.from('hello') }]))
    expect(file.readUInt32LE(0)).toBe(0x04034b50)
    expect(file.readUInt32LE(file.length - 22)).toBe(0x06054b50)
  })
})
