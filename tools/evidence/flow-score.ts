import { countCommon } from './count-common.ts'
import type { Flow, FlowBlock, TextKind } from './flow.ts'

// How much of a document was preserved, each part from 0 to 1. A part that neither document has is omitted.

interface FlowScore {
  /** Words in their order. */
  words: number
  headings: number
  /** Paragraphs that are complete, each on its own. */
  paragraphs: number
  items: number
  notes: number
  listings: number
  formulas: number
  /** Cells of tables in their places. */
  cells: number
}

/** Words, or single characters in scripts without spaces. */
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
    .replace(/^(?:[A-Z]?\d+(?:\.\d+)+[.)]? ?|(?:[A-Z]?\d+|[IVX]+|[A-Z])[.)]? )/, '')
    .toLowerCase()
const sameIndents = (text: string): string => text.replace(/[ \t]+$/gm, '')
/** Normalizes alternative spellings. */
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

/** A table with text in a single column is only used for layout, such as a note next to its picture. */
const hasColumns = (rows: string[][]): boolean =>
  new Set(rows.flatMap((row) => row.flatMap((cell, c) => (cell === '' ? [] : [c])))).size > 1

const tablesOf = (flow: Flow): string[][][] =>
  flow.flatMap((b) => (b.kind === 'table' ? [b.rows.map((row) => row.map(plain))] : [])).filter(hasColumns)

const inPlace = (a: string[][], b: string[][]): string[] =>
  a.flatMap((row, r) => row.filter((cell, c) => b[r]?.[c] === cell))

/** Compares each expected table with the one that shares most texts with it; tables that share none are paired in order. */
function cellsInPlace(truth: Flow, made: Flow): number {
  const left = tablesOf(made)
  const sizeOf = (table: string[][]): number => table.flat().length
  const partners = new Map<string[][], string[][] | undefined>()
  const all = tablesOf(truth)
  for (const table of all) {
    const texts = left.map((other) => inPlace(table, other).filter((cell) => cell !== '').length)
    const best = Math.max(0, ...texts)
    if (best > 0) partners.set(table, left.splice(texts.indexOf(best), 1)[0])
  }
  for (const table of all) if (!partners.has(table)) partners.set(table, left.shift())
  const pairs = [...partners].map(([table, other = []]) => ({ table, other }))
  const right = pairs.reduce((sum, { table, other }) => sum + inPlace(table, other).length, 0)
  const size = pairs.reduce((sum, { table, other }) => sum + Math.max(sizeOf(table), sizeOf(other)), 0)
  return right / (size + left.reduce((sum, table) => sum + sizeOf(table), 0))
}

/** At most this many consecutive listings are compared as one. */
const maxJoined = 8

/** Consecutive listings look like one; when they were joined, they are compared as one. */
function joinListings(truth: Flow, made: Flow): Flow {
  const whole = new Set(textsOf(made, 'listing'))
  const out: FlowBlock[] = []
  for (let i = 0; i < truth.length; i++) {
    const run: string[] = []
    for (let b = truth[i]; b?.kind === 'listing' && run.length < maxJoined; b = truth[i + run.length])
      run.push(b.text)
    const found = run
      .flatMap((_, n) =>
        ['\n', '\n\n'].map((seam) => ({ count: n + 1, text: run.slice(0, n + 1).join(seam) })),
      )
      .findLast(({ count, text }) => count > 1 && whole.has(sameIndents(text)))
    out.push(found ? { kind: 'listing', text: found.text } : (truth[i] as FlowBlock))
    if (found) i += found.count - 1
  }
  return out
}

export function scoreFlow(given: Flow, made: Flow): Partial<FlowScore> {
  const truth = joinListings(given, made)
  // Superfluous text counts as much as missing text.
  const agreement = (kind: TextKind): number => {
    const [a, b] = [textsOf(truth, kind), textsOf(made, kind)]
    return (2 * countCommon(a, b)) / (a.length + b.length)
  }
  const [a, b] = [wordsOf(truth), wordsOf(made)]
  const paragraphs = textsOf(truth, 'paragraph')
  const all = {
    words: (2 * longestCommon(a, b)) / (a.length + b.length),
    // Without marked headings in the source, it is unknown which lines are headings.
    headings: textsOf(truth, 'heading').length === 0 ? Number.NaN : agreement('heading'),
    paragraphs: countCommon(textsOf(made, 'paragraph'), paragraphs) / paragraphs.length,
    items: agreement('item'),
    notes: agreement('note'),
    listings: agreement('listing'),
    formulas: agreement('formula'),
    cells: cellsInPlace(truth, made),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !Number.isNaN(value)))
}
