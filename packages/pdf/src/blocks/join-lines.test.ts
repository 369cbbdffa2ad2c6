import { describe, expect, it } from 'vitest'
import { textRunOf } from '../lines/test-text-runs.ts'
import { type Run, textOf } from './block.ts'
import { joinLines } from './join-lines.ts'
import { learnVocabulary } from './vocabulary.ts'

describe('ends of lines', () => {
  const { style } = textRunOf('x', 0, 0).spans[0] as Run
  const code = { ...style, font: { ...style.font, mono: true } }
  const joined = (runs: Run[], next: Run, known: string[] = []): string => {
    joinLines(runs, [next], learnVocabulary(known))
    return runs.map((r) => r.text).join('')
  }
  const join = (a: string, b: string, known: string[] = []): string =>
    joined([{ text: a, style }], { text: b, style }, known)

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
  it('marks where it was broken, for formats that can break it there again', () => {
    const runs = [{ text: 'docu-', style }]
    joinLines(runs, [{ text: 'ment', style }], learnVocabulary([], true))
    expect(runs.map((r) => r.text).join('')).toBe('docu\u00adment')
    expect(textOf(runs)).toBe('document')
  })
  it('knows a word that two line ends broke', () => {
    const runs = [{ text: 'docu-', style }]
    for (const text of ['men-', 'tation'])
      joinLines(runs, [{ text, style }], learnVocabulary(['documentation'], true))
    expect(runs.map((r) => r.text).join('')).toBe('docu\u00admen\u00adtation')
  })
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
  it('keeps hyphens where words stand before those that end lines', () => {
    const lines = ['it is a high wall for', 'what we think is high-', 'what a user asks user-']
    expect(join('a high-', 'performance engine', [...lines, 'what the user wants is'])).toBe(
      'a high-performance engine',
    )
    expect(join('a docu-', 'ment', [...lines, 'but others are infor-', 'and still more docu-'])).toBe(
      'a document',
    )
  })
  it('removes hyphens where the joined word is known', () => {
    const lines = [
      'we infer what it is',
      'the inference of it is',
      'what others call an infer-',
      'ence of it',
    ]
    expect(join('an infor-', 'mation', [...lines, ...lines])).toBe('an information')
  })
  it('takes a few ends of lines in a long text for those of compounds', () => {
    const lines = Array.from({ length: 100 }, () => 'a line of words that ends with a word')
    expect(join('is self-', 'certified', [...lines, 'a thing that has a high-'])).toBe('is self-certified')
  })
  it('keeps the hyphens of addresses, of program text and before capitals', () => {
    expect(join('see https://ftp-', 'master.example.org')).toBe('see https://ftp-master.example.org')
    expect(joined([{ text: 'the build-', style: code }], { text: 'essential', style: code })).toBe(
      'the build-essential',
    )
    expect(join('the Content-', 'Type header')).toBe('the Content-Type header')
    expect(join('the Mode/Mod-', 'ule')).toBe('the Mode/Module')
    expect(
      joined(
        [
          { text: 'из', style },
          { text: '-', style },
        ],
        { text: 'за', style },
        ['из-за'],
      ),
    ).toBe('из-за')
  })
  it('goes on without a space behind a dash that touches its word, and in addresses', () => {
    expect(join('a mark—', 'drives')).toBe('a mark—drives')
    expect(join('a mark —', 'drives')).toBe('a mark — drives')
    expect(join('at https:', '//a.example/')).toBe('at https://a.example/')
    expect(join('at https://a.example/watch?', 'v=1')).toBe('at https://a.example/watch?v=1')
    expect(joined([{ text: 'like --', style: code }], { text: 'id=1', style: code })).toBe('like --id=1')
  })
  it('mends an address that was cut anywhere, where both parts lead to it', () => {
    const link = { box: { x0: 0, y0: 0, x1: 1, y1: 1 }, uri: 'https://doi.org/10.1000/14002.466' }
    const [own, other] = [
      { ...style, link },
      { ...style, link: { ...link, uri: 'https://a.example/' } },
    ]
    const parts = (): Run[] => [{ text: 'at https://doi.org/10.1000/14', style: own }]
    expect(joined(parts(), { text: '002.466. More', style: own })).toBe(
      'at https://doi.org/10.1000/14002.466. More',
    )
    expect(joined(parts(), { text: '002.466', style: other })).toBe('at https://doi.org/10.1000/14 002.466')
    expect(joined([{ text: 'two', style: own }], { text: 'words', style: own })).toBe('two words')
    const runs = parts()
    joinLines(runs, [{ text: '002.466', style: own }], learnVocabulary([], true))
    expect(runs.map((r) => r.text).join('')).toBe('at https://doi.org/10.1000/14\u200b002.466')
    expect(textOf(runs)).toBe('at https://doi.org/10.1000/14002.466')
  })
  it('parts Latin words from Chinese where the document does', () => {
    expect(join('使用', 'make', ['我们使用 make 的'])).toBe('使用 make')
    expect(join('使用', 'make', Array(5).fill('我们使用make的'))).toBe('使用make')
    expect(join('使用', 'make', ['我们使用make的'])).toBe('使用 make')
    expect(join('東京12', '〒123-4567')).toBe('東京12 〒123-4567')
    expect(join('、', 'make', ['我们使用 make 的'])).toBe('、make')
  })
})
