import { describe, expect, it } from 'vitest'
import type { Glyph, Tag } from '../read/page.ts'
import type { TextRun } from './line.ts'
import { findLines } from './lines.ts'
import { glyphsOf, pageOf } from './test-text-runs.ts'

describe('lines', () => {
  it('keeps the words of a line together and parts far stretches', () => {
    const { textRuns } = findLines(pageOf([...glyphsOf('two words', 50, 100), ...glyphsOf('far', 300, 100)]))
    expect(textRuns.map((p) => p.text)).toEqual(['two words', 'far'])
  })

  it('finds spaces that were never painted', () => {
    const { textRuns } = findLines(pageOf([...glyphsOf('one', 50, 100), ...glyphsOf('two', 50 + 18, 100)]))
    expect(textRuns.map((p) => p.text)).toEqual(['one two'])
  })

  it('raises small figures beside a word instead of making a line of them', () => {
    const { textRuns } = findLines(pageOf([...glyphsOf('word', 50, 100), ...glyphsOf('1', 70.2, 96, 6)]))
    expect(textRuns).toHaveLength(1)
    expect(textRuns[0]?.spans.map((s) => [s.text, s.style.script])).toEqual([
      ['word', undefined],
      ['1', 'super'],
    ])
  })

  it('parts what the structure tree puts into two cells, however close they stand', () => {
    const tags = new Map<number, Tag>([
      [0, { type: 'TD', parent: undefined }],
      [1, { type: 'P', parent: { type: 'TD', parent: undefined } }],
    ])
    const glyphs = [...glyphsOf('name', 50, 100, 10, { tag: 0 }), ...glyphsOf('981', 76, 100, 10, { tag: 1 })]
    expect(findLines(pageOf(glyphs)).textRuns.map((p) => p.text)).toEqual(['name 981'])
    expect(findLines(pageOf(glyphs, { tags })).textRuns.map((p) => p.text)).toEqual(['name', '981'])
  })

  it('takes a rule that starts and ends with a word as its underline', () => {
    const rule = {
      horizontal: true,
      at: 101.2,
      from: 50,
      to: 70,
      thickness: 0.5,
      color: '000000',
      weak: false,
    }
    const border = { ...rule, at: 115, to: 400 }
    const { textRuns, rules } = findLines(pageOf(glyphsOf('word', 50, 100), { rules: [rule, border] }))
    expect(textRuns[0]?.spans[0]?.style.underline).toBe(true)
    expect(rules).toEqual([border])
  })

  it('reads right-to-left words from the right', () => {
    // Painted from left to right: gimel bet alef, space, the digits, as a page shows it.
    const painted = [...'12 גבא'].map((text, i) => glyphsOf(text, 50 + 5 * i, 100)[0] as never)
    const { textRuns } = findLines(pageOf(painted))
    expect(textRuns[0]?.rtl).toBe(true)
    expect(textRuns[0]?.text.endsWith('12')).toBe(true)
  })

  it('reads a sign behind right-to-left letters that was painted before them', () => {
    const [comma, gimel, bet, alef] = glyphsOf(',גבא', 50, 100)
    const painted = [comma, alef, bet, gimel].flatMap((g) => g ?? [])
    expect(findLines(pageOf(painted)).textRuns[0]?.text).toBe('אבג,')
  })

  it('parts a line from its neighbour where another line was painted between them', () => {
    const at = (text: string, x: number, y: number, order: number) => glyphsOf(text, x, y, 10, { order })
    const [left, below, right] = [at('left', 50, 100, 0), at('below', 50, 130, 1), at('right', 76, 100, 2)]
    const runs = (glyphs: Glyph[]): string[] => findLines(pageOf(glyphs)).textRuns.map((p) => p.text)
    expect(runs([...left, ...below, ...right])).toEqual(['left', 'right', 'below'])
    expect(runs([...left, ...at('right', 76, 100, 1)])).toEqual(['left right'])
  })

  it('reads a line from the left that begins with a number or ends with a full stop there', () => {
    const textRun = (painted: string): TextRun | undefined =>
      findLines(pageOf(glyphsOf(painted, 50, 100))).textRuns[0]
    expect(textRun('9.7. גבא')?.text).toMatch(/^9\.7\. /)
    expect(['9.7. גבא', '• גבא', 'גבא:'].map((painted) => textRun(painted)?.rtl)).toEqual([
      false,
      false,
      false,
    ])
    // From the right, a full stop stands left of what it ends.
    expect(['.גבא', '12 גבא'].map((painted) => textRun(painted)?.rtl)).toEqual([true, true])
  })

  it('finds no spaces between right-to-left letters where spaces are painted', () => {
    const at = (text: string, x: number): Glyph[] => glyphsOf(text, x, 100)
    // Letters a quarter of an em apart, with a space between two words and without.
    const spaced = [at('ד', 50), at('ג', 57.5), at(' ', 62.5), at('ב', 67.5), at('א', 75)]
    const textOf = (glyphs: Glyph[][]): string | undefined =>
      findLines(pageOf(glyphs.flat())).textRuns[0]?.text
    expect(textOf(spaced)?.match(/ /g)).toHaveLength(1)
    expect(textOf(spaced.filter(([g]) => g?.text !== ' '))?.match(/ /g)).toHaveLength(3)
  })

  it('keeps a bullet with the text of its item, on its right or left', () => {
    const texts = (...glyphs: Glyph[]) => findLines(pageOf(glyphs)).textRuns.map((p) => p.text)
    const bullet = glyphsOf('•', 100, 100)
    expect(texts(...bullet, ...glyphsOf('item', 130, 100))).toEqual(['• item'])
    expect(texts(...glyphsOf('cell', 50, 100), ...bullet, ...glyphsOf('item', 130, 100))).toEqual([
      'cell',
      '• item',
    ])
    expect(texts(...glyphsOf('גבא', 60, 100), ...bullet)).toEqual(['• גבא'])
    expect(texts(...bullet, ...glyphsOf('far', 300, 100))).toEqual(['•', 'far'])
  })

  it('sets turned text apart', () => {
    const side = glyphsOf('stamp', 20, 400, 10, { turn: 3 }).map((g, i) => ({
      ...g,
      x: 20,
      y: 400 - 5 * i,
      box: { x0: 12, x1: 22, y0: 395 - 5 * i, y1: 400 - 5 * i },
    }))
    const { textRuns, turned } = findLines(pageOf([...glyphsOf('body', 50, 100), ...side]))
    expect(textRuns.map((p) => p.text)).toEqual(['body'])
    expect(turned.map((p) => p.text)).toEqual(['stamp'])
  })
})
