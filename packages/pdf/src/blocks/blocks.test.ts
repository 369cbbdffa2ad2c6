import { describe, expect, it } from 'vitest'
import { inOrder } from '../layout/layout.ts'
import { pieceOf } from '../lines/test-pieces.ts'
import { columnBlocks } from './assemble.ts'
import type { Paragraph } from './block.ts'
import { joinLines, learnVocabulary } from './build.ts'
import { findLists } from './lists.ts'
import { readNumber, romanValue } from './numbers.ts'
import { learnHabits } from './paragraphs.ts'

type Piece = ReturnType<typeof pieceOf>

function paragraphs(pieces: Piece[]): Paragraph[] {
  const items = inOrder(pieces.map((piece) => ({ box: piece.box, piece })))
  const vocabulary = learnVocabulary(pieces.map((p) => p.text))
  const context = { habits: learnHabits([]), vocabulary, spacing: new Map() }
  const column = { box: { x0: 50, x1: 300, y0: 0, y1: 800 }, items }
  const blocks = columnBlocks(
    { frame: { x0: 50, x1: 300 }, column, page: 0, first: { page: true, band: true } },
    context,
  )
  return blocks.filter((b): b is Paragraph => b.kind === 'paragraph')
}

const listed = (pieces: Piece[]): Paragraph[] =>
  findLists(paragraphs(pieces)).filter((b): b is Paragraph => b.kind === 'paragraph')

describe('paragraphs', () => {
  it('joins lines that are full and ends at one that is not', () => {
    const found = paragraphs([
      pieceOf('These words fill the line up to its very right end', 50, 100),
      pieceOf('and so they go on here.', 50, 112),
      pieceOf('Another paragraph starts where the last one ended.', 50, 124),
    ])
    expect(found.map((p) => p.text)).toEqual([
      'These words fill the line up to its very right end and so they go on here.',
      'Another paragraph starts where the last one ended.',
    ])
  })

  it('parts at a gap', () => {
    expect(
      paragraphs([
        pieceOf('These words fill the line up to its very right end', 50, 100),
        pieceOf('and these stand far below', 50, 140),
      ]),
    ).toHaveLength(2)
  })

  it('centres what stands in the middle', () => {
    expect(paragraphs([pieceOf('In the middle', 142.5, 100)])[0]?.align).toBe('center')
  })
})

describe('hyphens', () => {
  const { style } = (pieceOf('x', 0, 0).spans[0] as { style: Paragraph['runs'][number]['style'] }) ?? {}
  const join = (a: string, b: string, known: string[] = []): string => {
    const runs = [{ text: a, style }]
    joinLines(runs, [{ text: b, style }], learnVocabulary(known))
    return runs.map((r) => r.text).join('')
  }

  it('puts no space between characters of Chinese, rare ones neither', () => {
    expect(join('漢', '字')).toBe('漢字')
    expect(join('𠀀', '𠀁')).toBe('𠀀𠀁')
    expect(join('𠀀', 'word')).toBe('𠀀 word')
  })
  it('puts a space between words of Korean, and none into a word that the line broke', () => {
    expect(join('오래 남고', '손보다 길다')).toBe('오래 남고 손보다 길다')
    expect(join('오래 남', '고 길다', ['그것은 남고 있다'])).toBe('오래 남고 길다')
  })
  it('mends a word that was broken', () => expect(join('docu-', 'ment')).toBe('document'))
  it('keeps a hyphen that the word has elsewhere', () =>
    expect(join('well-', 'known', ['a well-known fact'])).toBe('well-known'))
  it('keeps a hyphen where the text breaks no words', () => {
    const lines = Array.from({ length: 100 }, () => 'a line of words that ends with a word')
    expect(join('twenty-', 'first', lines)).toBe('twenty-first')
    expect(
      join('twenty-', 'first', [...lines, 'but some lines end with bro-', 'and so do many more oth-']),
    ).toBe('twentyfirst')
  })
  it('puts a space between words', () => expect(join('one', 'two')).toBe('one two'))
  it('puts none between Chinese characters', () => expect(join('中', '文')).toBe('中文'))
})

describe('lists', () => {
  it('makes items of numbers in sequence and takes their labels off', () => {
    const found = listed([
      pieceOf('1. first', 50, 100),
      pieceOf('2. second', 50, 114),
      pieceOf('3. third', 50, 128),
    ])
    expect(found.map((p) => [p.text, p.list?.format, p.list?.level])).toEqual([
      ['first', 'decimal', 0],
      ['second', 'decimal', 0],
      ['third', 'decimal', 0],
    ])
    expect(new Set(found.map((p) => p.list?.id)).size).toBe(1)
  })

  it('leaves numbers that were typed, with lines that go on under them, in the text', () => {
    const lines = (x: number): Piece[] => [
      pieceOf('1. These words fill the line up to its right end', 50, 100),
      pieceOf('and go on below.', x, 112),
      pieceOf('2. These words fill the line up to its right end', 50, 124),
      pieceOf('and go on below.', x, 136),
    ]
    const typed = listed(lines(50))
    expect(typed.map((p) => [p.list, p.text.slice(0, 8)])).toEqual([
      [undefined, '1. These'],
      [undefined, '2. These'],
    ])
    const hanging = listed(lines(65))
    expect(hanging.map((p) => p.list?.format)).toEqual(['decimal', 'decimal'])
  })

  it('leaves a number that nothing follows in the text', () => {
    const found = listed([pieceOf('1. alone', 50, 100), pieceOf('Text without a label', 50, 130)])
    expect(found[0]?.list).toBeUndefined()
    expect(found[0]?.text).toBe('1. alone')
  })

  it('nests by place', () => {
    const found = listed([
      pieceOf('• outer', 50, 100),
      pieceOf('• inner', 80, 114),
      pieceOf('• outer', 50, 128),
    ])
    expect(found.map((p) => p.list?.level)).toEqual([0, 1, 0])
  })
})

describe('numbers', () => {
  it('reads Roman numbers', () =>
    expect([romanValue('iv'), romanValue('XII'), romanValue('abc')]).toEqual([4, 12, undefined]))
  it('reads i. both ways', () =>
    expect(readNumber('i.').map((n) => n.format)).toEqual(['lowerLetter', 'lowerRoman']))
  it('reads numbers below others', () =>
    expect(readNumber('1.2.3')[0]).toMatchObject({ value: 3, prefix: '1.2.' }))
})
