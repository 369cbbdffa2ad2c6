import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PageLines } from '../../../../packages/pdf/src/lines/lines.ts'
import type { PdfDocument } from '../../../../packages/pdf/src/read/page.ts'
import { type EvaluatedDocument, listDocuments } from './corpus.ts'
import { readCached } from './page-cache.ts'
import { mean, type Scores, startScorer } from './scorer.ts'
import { type Threshold, thresholds } from './thresholds.ts'

// Sets each threshold to zero and to infinity in turn, which switches off what it decides, and prints what that costs:
// node tools/fidelity/pdf/evaluation/ablate.ts TRUTH BENCHMARKS WORK [--only FOLDER/]
// A threshold that costs less than the noise in one direction can be deleted together with its condition. Results are
// appended to WORK/ablation.tsv, and a threshold that is in there is not evaluated again.

// The engine is loaded after the hooks of `thresholds.ts`.
const { findLines } = await import('../../../../packages/pdf/src/lines/lines.ts')
const { understand } = await import('../../../../packages/pdf/src/understand.ts')
const { writeMarkdown } = await import('../../../../packages/pdf/src/write/markdown.ts')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const [truth, benchmarks, work] = positionals
if (!truth || !benchmarks || !work) throw new Error('Usage: ablate.ts TRUTH BENCHMARKS WORK [--only FOLDER/]')

/** Long documents cost more than they say. */
const longest = 3
/** Where more documents change, the threshold is plainly needed. */
const plainlyNeeded = 0.3
const infinity = 1e9
/** What happens before `understand`. */
const early = /^(?:read|math|lines)\//

interface Loaded {
  document: EvaluatedDocument
  pdf: PdfDocument
  lines: PageLines[]
  output: string
  score: number
}

const scorer = startScorer(truth, benchmarks, work)
const loaded: Loaded[] = []
for (const document of listDocuments(truth, benchmarks)) {
  if (document.part === 'final') continue
  const pdf = await readCached(join(document.folder, 'in.pdf'), join(work, 'pages'))
  if (pdf.pages.length > longest) continue
  const lines = pdf.pages.map(findLines)
  const output = writeMarkdown(understand(pdf, lines), {})
  loaded.push({ document, pdf, lines, output, score: overall(await scorer.score(document, output)) })
}
console.error(`${loaded.length} documents, ${thresholds.length} thresholds`)

const report = join(work, 'ablation.tsv')
const known = new Set(
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .split('\n')
        .map((line) => line.split('\t').slice(0, 2).join(' '))
    : [],
)
for (const threshold of thresholds) {
  const { file, name, value } = threshold
  if (!file.startsWith(values.only) || /^(?:debug|write)\//.test(file) || known.has(`${file} ${name}`))
    continue
  const [zero, unlimited] = [await cost(threshold, 0), await cost(threshold, infinity)]
  appendFileSync(report, `${[file, name, value, zero, unlimited].join('\t')}\n`)
}
scorer.close()

/** How many documents change, and by how much the mean over owners falls. */
async function cost(threshold: Threshold, value: number): Promise<string> {
  threshold.set(value)
  const changed: { entry: Loaded; output: string }[] = []
  let failed = 0
  for (const entry of loaded) {
    let output = ''
    try {
      const lines = early.test(threshold.file) ? entry.pdf.pages.map(findLines) : entry.lines
      output = writeMarkdown(understand(entry.pdf, lines), {})
    } catch {
      failed++
    }
    if (output !== entry.output) changed.push({ entry, output })
    if (changed.length > plainlyNeeded * loaded.length || failed > 2) break
  }
  threshold.set(threshold.value)
  if (changed.length > plainlyNeeded * loaded.length || failed > 2) return 'needed'
  const after = new Map<Loaded, number>()
  for (const { entry, output } of changed)
    after.set(entry, overall(await scorer.score(entry.document, output)))
  const byOwner = Map.groupBy(loaded, ({ document }) => `${document.benchmark} ${document.owner}`)
  const losses = [...byOwner.values()].map((own) =>
    mean(own.map((entry) => (after.get(entry) ?? entry.score) - entry.score)),
  )
  return `${changed.length}:${mean(losses).toFixed(5)}`
}

/** `overall` where a benchmark has it, else the mean of its metrics. */
function overall(scores: Scores): number {
  return scores.overall ?? mean(Object.values(scores))
}
