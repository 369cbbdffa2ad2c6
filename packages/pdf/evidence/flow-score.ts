import type { Flow, TextKind } from './flow.ts'

// How much of a document came through, each part from 0 to 1. A part that neither has is left out.

export interface FlowScore {
  /** Words in their order. */
  words: number
  headings: number
  /** Paragraphs that stand whole, each on its own. */
  paragraphs: number
  items: number
  notes: number
  listings: number
  formulas: number
  /** Cells of tables in their places. */
  cells: number
}

/** Words, and single characters where the script parts none. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{M}\p{N}]+/gu

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\u00ad|↩\ufe0e?/g, '')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\u2010-\u2015−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
/** Numbers before headings are set by some programs and typed by others, and small capitals are capitals to some. */
const asHeading = (text: string): string =>
  plain(text)
    .replace(/^(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])[.)]? /, '')
    .toLowerCase()
const sameIndents = (text: string): string => text.replace(/[ \t]+$/gm, '')
/** One spelling for what is written in several ways. */
const sameSpelling = (latex: string): string =>
  latex
    .replace(/\\(?:left|right|displaystyle|limits)(?![a-z])|\\[,;!:]|\\quad|[.,;\s]+$/g, '')
    .replace(/\\(le|ge|ne)q(?![a-z])/g, '\\$1')
    .replace(/\s+/g, '')
    .replace(/\{(\\?\w|\\[a-z]+)\}/g, '$1')

const spellings: Readonly<Record<TextKind, (text: string) => string>> = {
  heading: asHeading,
  paragraph: plain,
  item: plain,
  note: plain,
  listing: sameIndents,
  formula: sameSpelling,
}

/** How many of one list are in the other, each once. */
function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const text of a) left.set(text, (left.get(text) ?? 0) + 1)
  return b.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0
  }).length
}

/** The length of the longest sequence that both have. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1)
  for (const own of a) {
    const row = new Uint32Array(b.length + 1)
    for (let i = 0; i < b.length; i++)
      row[i + 1] =
        own === b[i] ? (above[i] as number) + 1 : Math.max(above[i + 1] as number, row[i] as number)
    above = row
  }
  return above[b.length] as number
}

const wordsOf = (flow: Flow): string[] =>
  flow.flatMap((b) =>
    b.kind === 'formula'
      ? []
      : (plain(b.kind === 'table' ? b.rows.flat().join(' ') : b.text).match(word) ?? []),
  )

const textsOf = (flow: Flow, kind: TextKind): string[] =>
  flow.flatMap((b) => (b.kind === kind ? [spellings[kind](b.text)] : []))

const tablesOf = (flow: Flow): string[][][] =>
  flow.flatMap((b) => (b.kind === 'table' ? [b.rows.map((row) => row.map(plain))] : []))

/** Each true table beside the one of the others that shares most cells with it. */
function cellsInPlace(truth: Flow, made: Flow): number {
  const left = tablesOf(made)
  const sizeOf = (table: string[][]): number => table.flat().length
  let right = 0
  let all = 0
  for (const table of tablesOf(truth)) {
    const inPlace = left.map(
      (other) => table.flatMap((row, r) => row.filter((cell, c) => other[r]?.[c] === cell)).length,
    )
    const best = inPlace.indexOf(Math.max(...inPlace))
    right += inPlace[best] ?? 0
    all += Math.max(sizeOf(table), best < 0 ? 0 : sizeOf(left[best] as string[][]))
    if (best >= 0) left.splice(best, 1)
  }
  return right / (all + left.reduce((sum, table) => sum + sizeOf(table), 0))
}

export function scoreFlow(truth: Flow, made: Flow): Partial<FlowScore> {
  // What is there and should not be counts as much as what is missing.
  const agreement = (kind: TextKind): number => {
    const [a, b] = [textsOf(truth, kind), textsOf(made, kind)]
    return (2 * shared(a, b)) / (a.length + b.length)
  }
  const [a, b] = [wordsOf(truth), wordsOf(made)]
  const paragraphs = textsOf(truth, 'paragraph')
  const all = {
    words: (2 * longestCommon(a, b)) / (a.length + b.length),
    headings: agreement('heading'),
    paragraphs: shared(textsOf(made, 'paragraph'), paragraphs) / paragraphs.length,
    items: agreement('item'),
    notes: agreement('note'),
    listings: agreement('listing'),
    formulas: agreement('formula'),
    cells: cellsInPlace(truth, made),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !Number.isNaN(value)))
}
