import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { samples } from '../../../../packages/test-support/src/languages.ts'
import type { EvaluatedDocument, Part } from '../evaluation/corpus.ts'
import { type Language, scriptLanguages } from './scripts.ts'

// The words of generated documents: sentences of documents with known sources, and random words in other scripts.

export type Random = (below: number) => number

/** Pseudo-random numbers, the same for each seed: prints have to stay the same. */
export function createRandom(seed: number): Random {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0
    return (state >>> 8) % below
  }
}

/** Text of one language. */
export interface TextSource {
  direction: 'ltr' | 'rtl'
  family?: string
  heading(next: Random): string
  paragraph(next: Random): string
  item(next: Random): string
  /** A word or two. */
  label(next: Random): string
}

export const pick = <T>(next: Random, values: readonly T[]): T => values[next(values.length)] as T

/** Shorter texts would repeat themselves. */
const minOfEach = 8
const minParagraph = 80
const maxParagraph = 700
const maxItem = 160
const maxHeading = 60

/** Sources of a part are printed only in looks of the same part. */
export function sourcesOf(documents: readonly EvaluatedDocument[], part: Part): TextSource[] {
  return documents
    .filter((d) => d.benchmark === 'truth' && d.part === part)
    .flatMap(({ folder }) => textsOf(readFileSync(join(folder, 'truth.md'), 'utf8')))
}

export const scriptSources: readonly TextSource[] = scriptLanguages.map(randomText)

const sampleFamilies: Readonly<Record<string, string>> = {
  Greek: 'Liberation Serif',
  Russian: 'Liberation Sans',
  Hebrew: 'Liberation Sans',
  Arabic: 'Noto Naskh Arabic',
  Hindi: 'Noto Sans Devanagari',
  Thai: 'Noto Looped Thai',
  'Chinese, traditional': 'Noto Sans CJK TC',
  Japanese: 'Noto Sans CJK JP',
  Korean: 'NanumGothic',
}

/** Sentences in scripts of which there are few or no documents with a known source. */
export const sampleSources: readonly TextSource[] = samples.flatMap(({ language, text }) => {
  const family = sampleFamilies[language]
  return family ? [sentences(text, family, /^(?:Hebrew|Arabic)$/.test(language) ? 'rtl' : 'ltr')] : []
})

const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`\\]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/^[\s\d.–-]+(?=\s)/, '')
    .trim()

/** No formula, tag, cell, footnote, dot leader or row of symbols, which would be printed literally. */
const isPlain = (text: string): boolean => /\p{L}{2}/u.test(text) && !/[$|<>{}[\]^~#]|\.{3}|--/.test(text)

function textsOf(markdown: string): TextSource[] {
  const [headings, paragraphs, items]: [string[], string[], string[]] = [[], [], []]
  for (const block of markdown.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n/)) {
    const heading = /^#+ +(.*)$/.exec(block)
    const list = block.split('\n').map((line) => /^ *(?:[-*+]|\d+[.)]) +(.*)$/.exec(line)?.[1])
    if (heading) headings.push(plain(heading[1] as string))
    else if (list[0] !== undefined) items.push(...list.flatMap((item) => (item ? [plain(item)] : [])))
    else paragraphs.push(plain(block.replace(/\s*\n\s*/g, ' ')))
  }
  const own = {
    headings: headings.filter((t) => isPlain(t) && t.length <= maxHeading),
    items: items.filter((t) => isPlain(t) && t.length <= maxItem),
    paragraphs: paragraphs.filter((t) => isPlain(t) && t.length >= minParagraph && t.length <= maxParagraph),
  }
  if (Object.values(own).some((texts) => texts.length < minOfEach)) return []
  const isCjk = /[\p{sc=Han}\p{sc=Hiragana}]{3}/u.test(own.paragraphs.join(''))
  return [
    {
      direction: 'ltr',
      ...(isCjk && { family: 'Noto Sans CJK SC' }),
      heading: (next) => pick(next, own.headings),
      paragraph: (next) => pick(next, own.paragraphs),
      item: (next) => pick(next, own.items),
      label: (next) => pick(next, own.headings).split(' ').slice(0, 2).join(' '),
    },
  ]
}

function randomText({ words, direction, family, joined }: Language): TextSource {
  const pool = joined ? [...words] : words.split(' ')
  const of = (next: Random, least: number, more: number): string =>
    Array.from({ length: least + next(more) }, () => pick(next, pool)).join(joined ? '' : ' ')
  const longer = joined ? 3 : 1
  return {
    direction: direction ?? 'ltr',
    family,
    heading: (next) => of(next, 2 * longer, 4 * longer),
    paragraph: (next) => `${of(next, 20 * longer, 50 * longer)}${joined ? '。' : '.'}`,
    item: (next) => of(next, 3 * longer, 15 * longer),
    label: (next) => of(next, longer, longer + 1),
  }
}

function sentences(text: string, family: string, direction: TextSource['direction']): TextSource {
  const whole = text.split(/(?<=[.。।])\s*|(?<=\p{sc=Thai}) /u)
  const clauses = whole.flatMap((s) => s.split(/[,،、，.。।:]\s*/)).filter((c) => c.length > 3)
  const isSpaced = clauses.some((c) => c.split(' ').length > 3)
  const startOf = (clause: string, words: number): string =>
    isSpaced ? clause.split(' ').slice(0, words).join(' ') : clause.slice(0, words * 2)
  return {
    direction,
    family,
    heading: (next) => startOf(pick(next, clauses), 2 + next(3)),
    paragraph: (next) =>
      Array.from({ length: 2 + next(4) }, () => pick(next, whole)).join(
        isSpaced || family.endsWith('Thai') ? ' ' : '',
      ),
    item: (next) => pick(next, clauses),
    label: (next) => startOf(pick(next, clauses), 1 + next(2)),
  }
}
