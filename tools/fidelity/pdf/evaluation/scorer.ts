import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EvaluatedDocument, Folders } from './corpus.ts'

/** By metric; a metric that does not apply to a document is missing. */
export type Scores = Readonly<Record<string, number>>

/** `paragraphs` and `word`, the mean of the parts, are metrics of the Word file. */
const pairMetrics = ['strict', 'overall', 'text', 'headings', 'lists', 'tables', 'paragraphs', 'word']
const metrics: Readonly<Record<string, readonly string[]>> = {
  truth: pairMetrics,
  prints: pairMetrics,
  scripts: pairMetrics,
  word: ['overall', 'text', 'paragraphs', 'flow', 'tables', 'headings', 'lists', 'header_footer'],
  odl: ['strict', 'overall', 'nid', 'teds', 'mhs'],
  icdar: ['adjacency F1', 'TEDS'],
  ppb: ['TEDS', 'latex', 'text'],
  jose: ['overall', 'nid', 'teds', 'mhs', 'lists'],
  olmocr: ['passed'],
}

const wordIsScored: ReadonlySet<string> = new Set(['truth', 'prints', 'scripts', 'word'])

export interface Output {
  markdown: string
  docx: Uint8Array
}

export interface Scorer {
  score(document: EvaluatedDocument, output: Output): Promise<Scores>
  close(): void
}

/** One Python process scores all outputs. Scores are cached by output. */
export function startScorer({ truth, benchmarks, word }: Folders, work: string): Scorer {
  const folder = join(work, 'scores')
  mkdirSync(folder, { recursive: true })
  const program = join(import.meta.dirname, 'score.py')
  const version = readFileSync(program)
  const python = spawn('/usr/bin/python3', [program, truth, benchmarks, ...(word ? [word] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (
    { benchmark, folder: expected, file }: EvaluatedDocument,
    output: string,
  ): Promise<Scores> => {
    const outputs = { markdown: `${output}.md`, docx: `${output}.docx` }
    python.stdin.write(`${JSON.stringify({ benchmark, folder: expected, file, ...outputs })}\n`)
    const answer = await answers.next()
    if (answer.done) throw new Error('score.py ended early')
    return selectMetrics(benchmark, JSON.parse(answer.value))
  }
  return {
    async score(document, { markdown, docx }) {
      const hash = createHash('sha1')
        .update(version)
        .update(`${document.id}\0${word ? 1 : 0}`)
        .update(document.benchmark === 'word' ? '' : markdown)
        .update(word && wordIsScored.has(document.benchmark) ? docx : '')
        .digest('hex')
      const cached = join(folder, `${hash}.json`)
      if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Scores
      const output = join(folder, hash)
      writeFileSync(`${output}.md`, markdown)
      writeFileSync(`${output}.docx`, docx)
      const asked = last.then(() => ask(document, output))
      last = asked
      const scores = await asked
      for (const ending of ['md', 'docx']) rmSync(`${output}.${ending}`)
      writeFileSync(cached, JSON.stringify(scores))
      return scores
    },
    close: () => void python.stdin.end(),
  }
}

function selectMetrics(benchmark: string, all: Record<string, unknown>): Scores {
  const perTable = all._ as { teds?: number[] } | undefined
  if (benchmark === 'icdar' && perTable?.teds?.length) all.TEDS = mean(perTable.teds)
  return Object.fromEntries(
    (metrics[benchmark] ?? []).flatMap((metric) => {
      const value = all[metric]
      return typeof value === 'number' ? [[metric, value]] : []
    }),
  )
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
