import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EvaluatedDocument } from './corpus.ts'

/** By metric; a metric that does not apply to a document is missing. */
export type Scores = Readonly<Record<string, number>>

const metrics: Readonly<Record<string, readonly string[]>> = {
  truth: ['strict', 'overall', 'text', 'headings', 'lists', 'tables'],
  prints: ['strict', 'overall', 'text', 'headings', 'lists', 'tables'],
  odl: ['strict', 'overall', 'nid', 'teds', 'mhs'],
  icdar: ['adjacency F1', 'TEDS'],
  ppb: ['TEDS', 'latex', 'text'],
  jose: ['overall', 'nid', 'teds', 'mhs', 'lists'],
  olmocr: ['passed'],
}

export interface Scorer {
  score(document: EvaluatedDocument, markdown: string): Promise<Scores>
  close(): void
}

/** One Python process scores all outputs. An output that was scored before is not scored again. */
export function startScorer(truth: string, benchmarks: string, work: string): Scorer {
  const folder = join(work, 'scores')
  mkdirSync(folder, { recursive: true })
  const program = join(import.meta.dirname, 'score.py')
  const version = readFileSync(program)
  const python = spawn('/usr/bin/python3', [program, truth, benchmarks], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (document: EvaluatedDocument, output: string): Promise<Scores> => {
    python.stdin.write(
      `${JSON.stringify({ benchmark: document.benchmark, folder: document.folder, output })}\n`,
    )
    const answer = await answers.next()
    if (answer.done) throw new Error('score.py ended early')
    return selectMetrics(document.benchmark, JSON.parse(answer.value))
  }
  return {
    async score(document, markdown) {
      const hash = createHash('sha1')
        .update(version)
        .update(document.id)
        .update('\0')
        .update(markdown)
        .digest('hex')
      const cached = join(folder, `${hash}.json`)
      if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Scores
      const output = join(folder, `${hash}.md`)
      writeFileSync(output, markdown)
      const asked = last.then(() => ask(document, output))
      last = asked
      const scores = await asked
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
