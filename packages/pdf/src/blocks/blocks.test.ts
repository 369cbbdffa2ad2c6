import { describe, expect, it } from 'vitest'
import { inOrder } from '../layout/layout.ts'
import { looseOf } from '../layout/rows.ts'
import { plainStyle, textRunOf } from '../lines/test-text-runs.ts'
import type { Tag } from '../read/page.ts'
import { columnBlocks } from './assemble.ts'
import type { Paragraph } from './block.ts'
import { readNumber, romanValue } from './labels.ts'
import { measurePitch } from './line-pitch.ts'
import { findLists } from './lists.ts'
import { learnVocabulary } from './vocabulary.ts'

type TextRun = ReturnType<typeof textRunOf>

function paragraphs(textRuns: TextRun[]): Paragraph[] {
  const items = inOrder(looseOf({ textRuns }))
  const vocabulary = learnVocabulary(textRuns.map((p) => p.text))
  const context = { linePitch: measurePitch([]), vocabulary, spacing: new Map() }
  const blocks = columnBlocks({ frame: { x0: 50, x1: 300 }, items, page: 0, starts: 'page' }, context)
  return blocks.filter((b): b is Paragraph => b.kind === 'paragraph')
}

const fixed = (textRun: TextRun): TextRun => {
  const font = { ...textRun.font, mono: true }
  return { ...textRun, font, spans: textRun.spans.map((s) => ({ ...s, style: { ...s.style, font } })) }
}

const listed = (textRuns: TextRun[]): Paragraph[] =>
  findLists(paragraphs(textRuns)).filter((b): b is Paragraph => b.kind === 'paragraph')

describe('paragraphs', () => {
  it('joins lines that are full and ends at one that is not', () => {
    const found = paragraphs([
      textRunOf('These words fill the line up to its very right end', 50, 100),
      textRunOf('and so they go on here.', 50, 112),
      textRunOf('Another paragraph starts where the last one ended.', 50, 124),
    ])
    expect(found.map((p) => p.text)).toEqual([
      'These words fill the line up to its very right end and so they go on here.',
      'Another paragraph starts where the last one ended.',
    ])
  })

  it('parts an indented paragraph from a full line that ended the one before', () => {
    const found = paragraphs([
      textRunOf('These words fill the line up to its right border.', 50, 100),
      textRunOf('These words begin the paragraph which goes on to', 65, 112),
      textRunOf('its end on the line below it.', 50, 124),
    ])
    expect(found).toHaveLength(2)
  })

  it('takes the size of small capitals from the capitals, but not that of a line from a larger number', () => {
    const inSizes = (...parts: [string, number][]): TextRun => {
      const whole = textRunOf(parts.map(([text]) => text).join(''), 50, 100)
      const spans = parts.map(([text, size]) => ({ text, style: { ...plainStyle, size } }))
      return { ...whole, spans, size: 10 }
    }
    const sizeOf = (...parts: [string, number][]): number | undefined =>
      paragraphs([inSizes(...parts)])[0]?.size
    expect(sizeOf(['S', 14], ['mall ', 10], ['C', 14], ['apitals', 10])).toBe(14)
    expect(sizeOf(['S', 14], ['MALL CAPITALS', 10])).toBe(14)
    expect(sizeOf(['Price: ', 10], ['25', 14])).toBe(10)
    expect(sizeOf(['O', 30], ['nce upon a time', 10])).toBe(10)
  })

  it('reads wide gaps in a justified column as spaces', () => {
    const justified = (words: [string, string, string], y: number): TextRun[] => [
      textRunOf(words[0], 50, y),
      textRunOf(words[1], 175 - 2.5 * words[1].length, y),
      textRunOf(words[2], 300 - 5 * words[2].length, y),
    ]
    const lines = [100, 112, 124].flatMap((y) => justified(['justified', 'columns', 'stretched'], y))
    const found = paragraphs([...lines, textRunOf('to their edges.', 50, 136)])
    expect(found.map((p) => p.text)).toEqual([`${'justified columns stretched '.repeat(3)}to their edges.`])
  })

  it('joins lines of a heading that were broken to be of equal length', () => {
    const bold = (textRun: TextRun): TextRun => ({
      ...textRun,
      spans: textRun.spans.map((s) => ({ ...s, style: { ...s.style, bold: true } })),
    })
    const lines = [textRunOf('An educator’s guide', 50, 100), textRunOf('for the new detector', 50, 112)]
    expect(paragraphs(lines.map(bold))).toHaveLength(1)
    expect(paragraphs(lines)).toHaveLength(2)
    const number = [textRunOf('2.1', 50, 100), textRunOf('open source', 50, 112)]
    expect(paragraphs(number.map(bold))).toHaveLength(2)
  })

  it('joins lines of large text, which the author broke', () => {
    const title = (size: number, pitch: number, second = 'A guide'): number =>
      paragraphs([textRunOf('Kilns:', 50, 100, size), textRunOf(second, 50, 100 + pitch, size)]).length
    expect([title(16, 20), title(10, 12), title(16, 34), title(16, 20, '2 Glazes')]).toEqual([1, 2, 2, 2])
  })

  it('parts at a gap', () => {
    expect(
      paragraphs([
        textRunOf('These words fill the line up to its very right end', 50, 100),
        textRunOf('and these stand far below', 50, 140),
      ]),
    ).toHaveLength(2)
  })

  it('parts program text from a sentence that ended', () => {
    const found = paragraphs([
      textRunOf('These words fill the line up to its very right end', 50, 100),
      textRunOf('so that it is told which of the many commands are:', 50, 112),
      fixed(textRunOf('cat /usr/share/doc/README', 50, 124, 8)),
      textRunOf('These words fill the line up to its very right end', 50, 136),
    ])
    expect(found).toHaveLength(3)
  })

  it('takes the size of a line from its words, not from program text in it', () => {
    const [first, second] = [
      fixed(textRunOf('/usr/share/doc/README', 50, 112, 8)),
      textRunOf('says.', 140, 112),
    ]
    const line = {
      ...first,
      box: { ...first.box, x1: second.box.x1 },
      spans: [...first.spans, ...second.spans],
      words: [...first.words, ...second.words],
      text: `${first.text} ${second.text}`,
    }
    const found = paragraphs([
      textRunOf('These words fill the line up to its very right end', 50, 100),
      line,
      textRunOf('Short', 50, 124),
    ])
    expect(found.map((p) => p.lines)).toEqual([2, 1])
  })

  it('centres lines in the middle', () => {
    expect(paragraphs([textRunOf('In the middle', 142.5, 100)])[0]?.align).toBe('center')
  })
})

describe('lists', () => {
  it('have letters alone, with a gap after them, where they count', () => {
    const item = (label: string, text: string, y: number): TextRun[] => [
      textRunOf(label, 60, y),
      textRunOf(text, 72, y),
    ]
    const found = listed([
      ...item('A', 'One thing', 100),
      ...item('B', 'Another', 125),
      ...item('C', 'More', 150),
    ])
    expect(found.map((p) => p.list?.format)).toEqual(['upperLetter', 'upperLetter', 'upperLetter'])
    const wrapped = listed([
      textRunOf('These words fill the line up to its very right end', 50, 100),
      textRunOf('a', 50, 112),
      textRunOf('gap is no label here.', 60, 112),
    ])
    expect(wrapped).toHaveLength(1)
  })

  it('have labels without a space after them', () => {
    const found = listed([
      textRunOf('i.First item', 50, 100),
      textRunOf('ii.Second item', 50, 112),
      textRunOf('iii.Third item', 50, 124),
    ])
    expect(found.map((p) => [p.list?.format, p.text])).toEqual([
      ['lowerRoman', 'First item'],
      ['lowerRoman', 'Second item'],
      ['lowerRoman', 'Third item'],
    ])
  })

  it('makes items of numbers in sequence and takes their labels off', () => {
    const found = listed([
      textRunOf('1. first', 50, 100),
      textRunOf('2. second', 50, 114),
      textRunOf('3. third', 50, 128),
    ])
    expect(found.map((p) => [p.text, p.list?.format, p.list?.level])).toEqual([
      ['first', 'decimal', 0],
      ['second', 'decimal', 0],
      ['third', 'decimal', 0],
    ])
    expect(new Set(found.map((p) => p.list?.id)).size).toBe(1)
  })

  it('leaves numbers that were typed, with lines that go on under them, in the text', () => {
    const lines = (x: number): TextRun[] => [
      textRunOf('1. These words fill the line up to its right end', 50, 100),
      textRunOf('and go on below.', x, 112),
      textRunOf('2. These words fill the line up to its right end', 50, 124),
      textRunOf('and go on below.', x, 136),
    ]
    const typed = listed(lines(50))
    expect(typed.map((p) => [p.list, p.text.slice(0, 8)])).toEqual([
      [undefined, '1. These'],
      [undefined, '2. These'],
    ])
    const hanging = listed(lines(65))
    expect(hanging.map((p) => p.list?.format)).toEqual(['decimal', 'decimal'])
  })

  it('begins an item below another whose text ends without a full stop', () => {
    const found = listed([
      textRunOf('1. an item whose words fill the line to its very', 50, 100),
      textRunOf('right end and so it goes on with more words here', 65, 112),
      textRunOf('a. below it', 80, 124),
      textRunOf('b. and another', 80, 136),
      textRunOf('2. the next', 50, 148),
    ])
    expect(found.map((p) => p.list?.level)).toEqual([0, 1, 1, 0])
  })

  it('begins items at the edge of the text above them where their letters count', () => {
    const found = listed([
      textRunOf('1. an item whose words fill the line to its very', 50, 100),
      textRunOf('a. below it, with words that fill the line to its', 65, 112),
      textRunOf('very end', 80, 124),
      textRunOf('b. and another', 65, 136),
      textRunOf('2. the next', 50, 148),
    ])
    expect(found.map((p) => p.list?.level)).toEqual([0, 1, 1, 0])
  })

  it('leaves a number that nothing follows in the text', () => {
    const found = listed([textRunOf('1. alone', 50, 100), textRunOf('Text without a label', 50, 130)])
    expect(found[0]?.list).toBeUndefined()
    expect(found[0]?.text).toBe('1. alone')
  })

  it('keeps an item whole whose label has a tag of its own', () => {
    const tag = (type: string, parent?: Tag): Tag => ({ type, parent })
    const item = tag('LI')
    const text = tag('P', tag('LBody', item))
    const found = listed([
      { ...textRunOf('• A short line of', 50, 100), tag: tag('Lbl', item) },
      { ...textRunOf('an-item-that-has-a-very-long-word-in-it', 60, 112), tag: text },
    ])
    expect(found.map((p) => p.text)).toEqual(['A short line of an-item-that-has-a-very-long-word-in-it'])
  })

  it('follows labels that are aligned to the right', () => {
    const labels = ['(i)', '(ii)', '(iii)', '(iv)']
    const found = listed(
      labels.map((label, i) => textRunOf(`${label} item`, 80 - 5 * label.length, 100 + 14 * i)),
    )
    expect(found.map((p) => p.list?.format)).toEqual(labels.map(() => 'lowerRoman'))
    expect(new Set(found.map((p) => p.list?.id)).size).toBe(1)
  })

  it('makes items of dashes that were typed, where there are several', () => {
    const dashes = ['- one', '- two'].map((text, i) => textRunOf(text, 50, 100 + 14 * i))
    expect(listed(dashes).map((p) => p.text)).toEqual(['one', 'two'])
    expect(listed(dashes.slice(1))[0]?.list).toBeUndefined()
  })

  it('nests by place', () => {
    const found = listed([
      textRunOf('• outer', 50, 100),
      textRunOf('• inner', 80, 114),
      textRunOf('• outer', 50, 128),
    ])
    expect(found.map((p) => p.list?.level)).toEqual([0, 1, 0])
  })
})

describe('numbers', () => {
  it('reads Roman numbers', () =>
    expect([romanValue('iv'), romanValue('XII'), romanValue('abc')]).toEqual([4, 12, undefined]))
  it('reads i. both ways', () =>
    expect(readNumber('i.').map((n) => n.format)).toEqual(['lowerLetter', 'lowerRoman']))
  it('reads full-width digits and brackets', () =>
    expect(readNumber('（２）')[0]).toMatchObject({ value: 2, prefix: '(', suffix: ')' }))
  it('reads numbers below others', () =>
    expect(readNumber('1.2.3')[0]).toMatchObject({ value: 3, prefix: '1.2.' }))
})
