import { describe, expect, it } from 'vitest'
import { emptyParagraph } from '../blocks/assemble.ts'
import { pieceOf } from '../lines/test-pieces.ts'
import type { WordDocument } from '../sections/section.ts'
import { writeHtml } from './html.ts'
import { writeMarkdown } from './markdown.ts'
import { escapeXml } from './xml.ts'
import { zip } from './zip.ts'

function documentOf(...texts: string[]): WordDocument {
  const blocks = texts.map((text) => {
    const { spans } = pieceOf(text, 0, 0)
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
      creator: '',
      created: '',
      language: 'en',
    },
    remarks: [],
    spacing: new Map(),
  }
}

describe('writing', () => {
  it('escapes what XML forbids', () => expect(escapeXml('a<b>&"\u0000\ud800')).toBe('a&lt;b&gt;&amp;&quot;'))

  it('writes headings, and guards text that looks like markup', () => {
    const document = documentOf('Heading', '1. not a list', 'stars * and _lines_')
    const first = document.sections[0]?.blocks[0]
    if (first?.kind === 'paragraph') first.heading = 2
    expect(writeMarkdown(document)).toBe('## Heading\n\n\\1. not a list\n\nstars \\* and \\_lines\\_\n')
  })

  it('writes HTML without letting text become elements', () => {
    const html = writeHtml(documentOf('<script>alert(1)</script>'))
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('<title>A &lt;title&gt;</title>')
  })

  it('writes zip files with their directory at the end', () => {
    const file = Buffer.from(zip([{ name: 'a.txt', data: Buffer.from('hello') }]))
    expect(file.readUInt32LE(0)).toBe(0x04034b50)
    expect(file.readUInt32LE(file.length - 22)).toBe(0x06054b50)
  })
})
