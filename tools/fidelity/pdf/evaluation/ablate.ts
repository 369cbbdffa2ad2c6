import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PageLines } from '../../../../packages/pdf/src/lines/lines.ts'
import type { PdfDocument } from '../../../../packages/pdf/src/read/page.ts'
import { type EvaluatedDocument, listDocuments } from './corpus.ts'
import { disablePredicate, predicates, thresholds } from './instrument.ts'
import { readCached } from './page-cache.ts'
import { mean, type Scores, startScorer } from './scorer.ts'

// Switches off each predicate of the engine, and sets each threshold to zero and to infinity, and reports what that
// costs: npm run ablate-pdf -- TRUTH BENCHMARKS WORK [--only FOLDER/] [--rules predicates|thresholds]
// What costs less than the noise can be deleted. Results are appended to WORK/ablation.tsv, and what is in there is not
// evaluated again.

// The engine is loaded after the hooks of `instrument.ts`.
const { findLines } = await import('../../../../packages/pdf/src/lines/lines.ts')
const { understand } = await import('../../../../packages/pdf/src/understand.ts')
const { writeMarkdown } = await import('../../../../packages/pdf/src/write/markdown.ts')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, rules: { type: 'string', default: 'all' } },
})
const [truth, benchmarks, work] = positionals
if (!truth || !benchmarks || !work)
  throw new Error('Usage: ablate.ts TRUTH BENCHMARKS WORK [--only FOLDER/] [--rules predicates|thresholds]')

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
console.error(`${loaded.length} documents, ${predicates.length} predicates, ${thresholds.length} thresholds`)

const report = join(work, 'ablation.tsv')
const known = new Set(
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .split('\n')
        .map((line) => line.split('\t').slice(0, 2).join(' '))
    : [],
)
const isWanted = (rule: string): boolean =>
  rule.startsWith(values.only) && !/^(?:debug|write)\//.test(rule) && !known.has(rule)
const record = (rule: string, ...figures: (string | number)[]): void =>
  appendFileSync(report, `${[...rule.split(' '), ...figures].join('\t')}\n`)
if (values.rules !== 'thresholds')
  for (const rule of predicates.filter(isWanted))
    record(
      rule,
      await costOf(
        rule,
        () => disablePredicate(rule),
        () => disablePredicate(undefined),
      ),
    )
if (values.rules !== 'predicates')
  for (const { file, name, value, set } of thresholds) {
    const rule = `${file} ${name}`
    if (!isWanted(rule)) continue
    const figures: string[] = []
    for (const extreme of [0, infinity])
      figures.push(
        await costOf(
          rule,
          () => set(extreme),
          () => set(value),
        ),
      )
    record(rule, value, ...figures)
  }
scorer.close()

/** How many documents change, and by how much the mean over owners falls. */
async function costOf(rule: string, change: () => void, restore: () => void): Promise<string> {
  change()
  const changed: { entry: Loaded; output: string }[] = []
  let failed = 0
  for (const entry of loaded) {
    let output = ''
    try {
      const lines = early.test(rule) ? entry.pdf.pages.map(findLines) : entry.lines
      output = writeMarkdown(understand(entry.pdf, lines), {})
    } catch {
      failed++
    }
    if (output !== entry.output) changed.push({ entry, output })
    if (changed.length > plainlyNeeded * loaded.length || failed > 2) break
  }
  restore()
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
