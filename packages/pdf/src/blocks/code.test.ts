import { describe, expect, it } from 'vitest'
import { plainFont } from '../lines/test-pieces.ts'
import type { Block, Paragraph } from './block.ts'
import { findCode, fixedLines, listingAt } from './code.ts'
import { emptyParagraph } from './empty-paragraph.ts'
import type { MergedLine } from './line-text.ts'

const style = (mono: boolean): Paragraph['runs'][number]['style'] => ({
  font: { ...plainFont, mono },
  size: 10,
  bold: false,
  italic: false,
  color: '000000',
  underline: false,
  strike: false,
  script: undefined,
  link: undefined,
  field: undefined,
  highlight: undefined,
})

function text(words: string): Paragraph {
  const box = { x0: 0, y0: 0, x1: 1, y1: 1 }
  return { ...emptyParagraph(box, 0, undefined), text: words, runs: [{ text: words, style: style(false) }] }
}

function code(...lines: [column: number, text: string][]): Paragraph {
  const runs = lines.map(([, t]) => ({ text: t, style: style(true) }))
  return {
    ...text(''),
    text: lines.map(([, t]) => t).join(' '),
    runs,
    lines: lines.length,
    size: 10,
    code: lines.map(([column], i) => ({ column, runs: runs.slice(i, i + 1) })),
  }
}

const prose = text('Running text that is much longer than the listing that stands below it on the page.')

describe('code', () => {
  it('keeps lines and indents, and joins neighbours into one listing', () => {
    const given: Block[] = [
      prose,
      { ...code([4, 'if x:'], [8, 'go()']), pitch: 12, firstBaseline: 8, lastBaseline: 20 },
      { ...code([4, 'end']), firstBaseline: 44, lastBaseline: 44 },
    ]
    const blocks = findCode(given)
    expect(listingAt(blocks, 0)).toBeUndefined()
    expect(listingAt(blocks, 1)).toEqual({ text: 'if x:\n    go()\n\nend', count: 2 })
    expect((blocks[1] as Paragraph).text).toBe('if x:\n    go()')
  })

  it('takes a document set in a font of fixed width for text', () => {
    const lines = code([0, 'All of the document looks like this'], [0, 'and none is code'])
    const blocks = findCode([text('Title'), lines])
    expect(listingAt(blocks, 1)).toBeUndefined()
  })

  it('indents by no more than program text is, whatever size a file claims', () => {
    const line = { box: { x0: 500, x1: 501, y0: 0, y1: 1 }, size: 1e-9, runs: code([0, 'go()']).runs }
    expect(fixedLines([line as unknown as MergedLine], 50)?.[0]?.column).toBeLessThan(1000)
  })

  it('leaves headings and items of lists alone', () => {
    const blocks = findCode([prose, { ...code([0, 'make']), heading: 2 }])
    expect(listingAt(blocks, 1)).toBeUndefined()
  })
  it('counts its indents in characters of its own font', () => {
    const style = { font: { mono: true } }
    const line = (text: string, x0: number) => ({
      text,
      size: 10,
      box: { x0, y0: 0, x1: x0 + 5.25 * text.length, y1: 10 },
      runs: [{ text, style }],
    })
    const lines = [line('for pot in kiln:', 50), line('pot.fire(1200)', 71)] as unknown as MergedLine[]
    expect(fixedLines(lines, 50)?.map((l) => l.column)).toEqual([0, 4])
  })
})
