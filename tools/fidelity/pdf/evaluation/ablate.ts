import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PageLines } from '../../../../packages/pdf/src/lines/lines.ts'
import type { PdfDocument } from '../../../../packages/pdf/src/read/page.ts'
import { type EvaluatedDocument, listDocuments } from './corpus.ts'
import { type Condition, conditions, decidingConditions, disableCondition } from './instrument.ts'
import { readCached } from './page-cache.ts'
import { mean, type Scores, startScorer } from './scorer.ts'

// Removes each condition and function of the engine in turn and reports what that changes and costs:
// npm run ablate-pdf -- TRUTH BENCHMARKS WORK [--prints FOLDER] [--more FOLDER]… [--only blocks/] [--part 1/2] [--functions]
// What changes nothing, or costs less than the noise, can be deleted. Results are appended to WORK/conditions.tsv, and
// what is in there is not evaluated again; WORK/decides.tsv counts the documents in which each decides anything. Only the documents in which a condition decides anything are converted again.
// `--more` names folders with PDFs whose truth is not known: they show changes.

// The engine is loaded after the hooks of `instrument.ts`.
const { findLines } = await import('../../../../packages/pdf/src/lines/lines.ts')
const { understand } = await import('../../../../packages/pdf/src/understand.ts')
const { writeDocx } = await import('../../../../packages/pdf/src/write/docx.ts')
const { writeMarkdown } = await import('../../../../packages/pdf/src/write/markdown.ts')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    functions: { type: 'boolean', default: false },
    more: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    prints: { type: 'string' },
  },
})
const [truth, benchmarks, work] = positionals
if (!truth || !benchmarks || !work)
  throw new Error(
    'Usage: ablate.ts TRUTH BENCHMARKS WORK [--prints FOLDER] [--more FOLDER]… [--only FOLDER/] [--part 1/2] [--functions]',
  )

/** Longer documents are cut, and not scored: their first pages show most changes. */
const longest = 3
const cutTo = 2
/** Documents in which a condition decides something, of which this many at most are converted again. */
const sample = 8
/** A condition that loses more, as a sum over documents, is plainly needed. */
const plainLoss = 0.3

interface Loaded {
  file: string
  document?: EvaluatedDocument
  pdf: PdfDocument
  lines: PageLines[]
  markdown: string
  docx: string
}

const scorer = startScorer(truth, benchmarks, work)
const loaded: Loaded[] = []
/** By condition. */
const decides = new Map<number, Loaded[]>()
const known: Pick<Loaded, 'file' | 'document'>[] = listDocuments(truth, benchmarks, values.prints)
  .filter(({ part }) => part !== 'final')
  .map((document) => ({ document, file: join(document.folder, 'in.pdf') }))
const unknown = values.more.flatMap((folder) => globSync(`${folder}/**/*.pdf`).map((file) => ({ file })))
for (const input of [...known, ...unknown]) {
  const pdf = await readCached(input.file, join(work, 'pages')).catch(() => undefined)
  if (!pdf) continue
  const isWhole = pdf.pages.length <= longest
  const cut = isWhole ? pdf : { ...pdf, pages: pdf.pages.slice(0, cutTo) }
  const entry: Loaded = {
    ...(isWhole ? input : { file: input.file }),
    pdf: cut,
    lines: [],
    markdown: '',
    docx: '',
  }
  for (const id of decidingConditions(() => {
    entry.lines = cut.pages.map(findLines)
    Object.assign(entry, write(entry, true))
  })) {
    const own = decides.get(id)
    if (own) own.push(entry)
    else decides.set(id, [entry])
  }
  loaded.push(entry)
}
console.error(`${loaded.length} documents, ${conditions.length} conditions`)
writeFileSync(
  join(work, 'decides.tsv'),
  conditions
    .map(({ file, line, kind, text }, id) =>
      [file, line, kind, decides.get(id)?.length ?? 0, text].join('\t'),
    )
    .join('\n'),
)

const report = join(work, 'conditions.tsv')
const keyOf = ({ file, kind, text }: Condition): string => `${file}\t${kind}\t${text}`
const done = new Set(
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .split('\n')
        .map((line) => line.split('\t').slice(0, 3).join('\t'))
    : [],
)
const [part = 1, parts = 1] = values.part.split('/').map(Number)
for (const [id, condition] of conditions.entries()) {
  const key = keyOf(condition)
  if (id % parts !== part - 1 || !condition.file.startsWith(values.only) || done.has(key)) continue
  if (values.functions && ['and', 'or', 'if', 'choice'].includes(condition.kind)) continue
  const figures = await costOf(id, condition)
  appendFileSync(report, `${[key, condition.line, ...figures].join('\t')}\n`)
}
scorer.close()

/**
 * What the condition decides: documents, those converted again, changed Markdown, changed Word only, sums of the change
 * of `overall` in development and in validation. Documents with known truth come first.
 */
async function costOf(id: number, { file }: Condition): Promise<(string | number)[]> {
  const own = decides.get(id) ?? []
  const order = ({ document, file: name }: Loaded): string =>
    `${document ? 0 : 1}${createHash('sha1').update(`${id}${name}`).digest('hex')}`
  const chosen = own.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, sample)
  let [changed, inWord, converted] = [0, 0, 0]
  const gains = { development: 0, validation: 0, final: 0 }
  for (const entry of chosen) {
    converted++
    disableCondition(id)
    const after = write(entry, /^(?:math|lines)\//.test(file))
    disableCondition(undefined)
    if (after.markdown === 'failed') return [own.length, converted, 'fails']
    if (after.markdown === entry.markdown) {
      if (after.docx !== entry.docx) inWord++
      continue
    }
    changed++
    if (entry.document)
      gains[entry.document.part] +=
        overall(await scorer.score(entry.document, after.markdown)) -
        overall(await scorer.score(entry.document, entry.markdown))
    if (gains.development + gains.validation < -plainLoss) break
  }
  const { development, validation } = gains
  return [own.length, converted, changed, inWord, development.toFixed(4), validation.toFixed(4)]
}

function write(entry: Loaded, afresh: boolean): { markdown: string; docx: string } {
  try {
    const lines = afresh ? entry.pdf.pages.map(findLines) : entry.lines
    const document = understand(entry.pdf, lines)
    const docx = createHash('sha1').update(writeDocx(document)).digest('hex')
    return { markdown: writeMarkdown(document, {}), docx }
  } catch {
    return { markdown: 'failed', docx: '' }
  }
}

/** `overall` where a benchmark has it, else the mean of its metrics. */
function overall(scores: Scores): number {
  return scores.overall ?? mean(Object.values(scores))
}
