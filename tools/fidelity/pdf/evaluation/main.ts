import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLines } from '../../../../packages/pdf/src/lines/lines.ts'
import { understand } from '../../../../packages/pdf/src/understand.ts'
import { noMarks } from '../../../../packages/pdf/src/write/content.ts'
import { writeDocx } from '../../../../packages/pdf/src/write/docx.ts'
import { writeMarkdown } from '../../../../packages/pdf/src/write/markdown.ts'
import { readArguments } from '../../../read-arguments.ts'
import { compare, formatDifferences, type Results } from './comparison.ts'
import { type EvaluatedDocument, listDocuments, type Part } from './corpus.ts'
import { readCached } from './page-cache.ts'
import { type Output, type Scores, startScorer } from './scorer.ts'

const usage = `npm run evaluate-pdf -- TRUTH BENCHMARKS WORK NAME [--against NAME] [--prints FOLDER] [--word FOLDER]
    [--only ID] [--quick] [--rows] [--final]

Converts every document to Markdown and Word in this process, scores it and compares the means with an earlier run.
`

const { values, positionals } = readArguments(
  usage,
  {
    against: { type: 'string' },
    final: { type: 'boolean', default: false },
    only: { type: 'string' },
    prints: { type: 'string' },
    quick: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    word: { type: 'string' },
  },
  4,
)
const [truth = '', benchmarks = '', work = '', name = ''] = positionals

/** Long documents take most of the time but have the same weight. */
const quickBytes = 200_000
const folders = { truth, benchmarks, prints: values.prints, word: values.word }
const documents = listDocuments(folders).filter(
  (d) =>
    (values.final || d.part !== 'final') &&
    (!values.only || d.id.includes(values.only)) &&
    !(values.quick && statSync(d.file).size > quickBytes),
)
const resultsFile = (run: string): string => join(work, run, 'scores.json')
const scorer = startScorer(folders, work)
const results: Record<string, Scores> = {}
let cpu = 0
let pages = 0
for (const document of documents) {
  const output = await convert(document, work)
  const file = join(work, name, `${document.id}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, output.markdown)
  results[document.id] = await scorer.score(document, output)
}
scorer.close()
writeFileSync(resultsFile(name), JSON.stringify(results, undefined, 1))
const before: Results =
  values.against && existsSync(resultsFile(values.against))
    ? (JSON.parse(readFileSync(resultsFile(values.against), 'utf8')) as Results)
    : results
for (const part of ['development', 'validation', 'final'] satisfies Part[])
  console.log(
    `\n${part}\n\n${formatDifferences(
      compare(
        documents.filter((d) => d.part === part),
        before,
        results,
      ),
    )}`,
  )
console.log(`\nall\n\n${formatDifferences(compare(documents, before, results))}`)
console.log(`\n${pages} pages, ${(cpu / 1e6).toFixed(1)} s of CPU time after reading`)
if (values.rows) printChanged(before)

async function convert({ file }: EvaluatedDocument, cache: string): Promise<Output> {
  try {
    const pdf = await readCached(file, join(cache, 'pages'))
    const start = process.cpuUsage()
    const lines = pdf.pages.map(findLines)
    const document = understand(pdf, lines)
    const markdown = writeMarkdown(document, { marks: noMarks })
    const { user, system } = process.cpuUsage(start)
    cpu += user + system
    pages += pdf.pages.length
    return { markdown, docx: writeDocx(document) }
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
    return { markdown: '', docx: new Uint8Array() }
  }
}

/** Only documents that may be inspected. */
function printChanged(earlier: Results): void {
  for (const { id, part } of documents) {
    if (part === 'final') continue
    for (const [metric, value] of Object.entries(results[id] ?? {})) {
      const last = earlier[id]?.[metric]
      if (last !== undefined && Math.abs(value - last) > 0.002)
        console.log(`${part.slice(0, 3)} ${id} ${metric}: ${last.toFixed(3)} → ${value.toFixed(3)}`)
    }
  }
}
