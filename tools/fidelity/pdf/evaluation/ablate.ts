import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageLines } from '../../../../packages/pdf/src/lines/lines.ts'
import type { PdfDocument } from '../../../../packages/pdf/src/read/page.ts'
import { readArguments } from '../../../read-arguments.ts'
import { type EvaluatedDocument, listDocuments } from './corpus.ts'
import { type Condition, conditions, decidingConditions, disableCondition } from './instrument.ts'
import { readCached } from './page-cache.ts'
import { mean, type Output, type Scores, startScorer } from './scorer.ts'

const usage = `npm run ablate-pdf -- TRUTH BENCHMARKS WORK [--prints FOLDER] [--word FOLDER] [--more FOLDER]… [--only blocks/]
    [--part 1/2] [--functions] [--most 0.3]

Removes each condition and function of the engine in turn and reports what that changes and costs. What changes
nothing, or costs less than the noise, can be deleted. Results are appended to WORK/conditions.tsv, and what is in
there is not evaluated again; WORK/decides.tsv counts the documents in which each decides anything. Only a sample of
the documents in which a condition decides anything is converted again.

--most SHARE   leaves out what decides in a larger share of the documents: that is needed
--more FOLDER  PDFs whose truth is not known: they show changes
`

// The engine is loaded after the hooks of `instrument.ts`.
const { findLines } = await import('../../../../packages/pdf/src/lines/lines.ts')
const { understand } = await import('../../../../packages/pdf/src/understand.ts')
const { writeDocx } = await import('../../../../packages/pdf/src/write/docx.ts')
const { writeMarkdown } = await import('../../../../packages/pdf/src/write/markdown.ts')

const { values, positionals } = readArguments(
  usage,
  {
    functions: { type: 'boolean', default: false },
    most: { type: 'string', default: '1' },
    more: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    prints: { type: 'string' },
    word: { type: 'string' },
  },
  3,
)
const [truth = '', benchmarks = '', work = ''] = positionals

/** Longer documents are truncated and not scored: their first pages show most changes. */
const longest = 4
const cutTo = 2
/** Maximum number of documents that are converted again per condition. */
const sample = 16
/** A condition with a larger loss, as a sum over documents, is clearly needed. */
const plainLoss = 0.2

interface Loaded extends Output {
  file: string
  document?: EvaluatedDocument
  pdf: PdfDocument
  lines: PageLines[]
}

const folders = { truth, benchmarks, prints: values.prints, word: values.word }
const noOutput: Output = { markdown: '', docx: new Uint8Array() }
const scorer = startScorer(folders, work)
const loaded: Loaded[] = []
/** By condition. */
const decides = new Map<number, Loaded[]>()
/** One generated print per look is enough to find candidates. */
const looks = new Set<string>()
const known: Pick<Loaded, 'file' | 'document'>[] = listDocuments(folders)
  .filter(({ part }) => part !== 'final')
  .filter(({ benchmark, owner }) => benchmark !== 'prints' || looks.size !== looks.add(owner).size)
  .map((document) => ({ document, file: document.file }))
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
    ...noOutput,
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
  if ((decides.get(id)?.length ?? 0) > Number(values.most) * loaded.length) continue
  const figures = await costOf(id, condition)
  appendFileSync(report, `${[key, condition.line, ...figures].join('\t')}\n`)
}
scorer.close()

/**
 * The effect of a condition: documents, those converted again, changed Markdown, changed Word only, and the sums of
 * score changes in development and validation, in generated prints, in prints in other scripts and of Word files.
 * Documents with known truth come first.
 */
async function costOf(id: number, { file }: Condition): Promise<(string | number)[]> {
  const own = decides.get(id) ?? []
  const chosen = sampleOf(own, id)
  let [changed, inWord, converted] = [0, 0, 0]
  const gains = { development: 0, validation: 0, final: 0, prints: 0, scripts: 0, word: 0 }
  for (const entry of chosen) {
    converted++
    disableCondition(id)
    const after = write(entry, /^(?:math|lines)\//.test(file))
    disableCondition(undefined)
    if (!after) return [own.length, converted, 'fails']
    const isSameWord = Buffer.compare(after.docx, entry.docx) === 0
    if (after.markdown !== entry.markdown) changed++
    else if (!isSameWord) inWord++
    else continue
    if (!entry.document) continue
    const { benchmark, part: ownPart } = entry.document
    const [now, before] = [
      await scorer.score(entry.document, after),
      await scorer.score(entry.document, entry),
    ]
    if (benchmark === 'word') gains.word += judge(now) - judge(before)
    else {
      const kind = benchmark === 'prints' || benchmark === 'scripts' ? benchmark : ownPart
      gains[kind] += judge(now) - judge(before)
      gains.word += (now.word ?? 0) - (before.word ?? 0)
    }
    if (Object.values(gains).reduce((a, b) => a + b, 0) < -plainLoss) break
  }
  const { development, validation, prints, scripts, word } = gains
  return [
    own.length,
    converted,
    changed,
    inWord,
    ...[development, validation, prints, scripts, word].map((gain) => gain.toFixed(4)),
  ]
}

/** Equal numbers of real documents, prints, prints in other scripts and Word documents, as far as available. */
function sampleOf(own: readonly Loaded[], id: number): Loaded[] {
  const order = ({ document, file: name }: Loaded): string =>
    `${document ? 0 : 1}${createHash('sha1').update(`${id}${name}`).digest('hex')}`
  const sorted = own.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  const kinds = Map.groupBy(sorted, ({ document }) =>
    ['prints', 'scripts', 'word'].includes(document?.benchmark ?? '') ? document?.benchmark : 'real',
  )
  const ranked = [...kinds.values()].flatMap((kind) => kind.map((entry, rank) => ({ entry, rank })))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, sample)
    .map(({ entry }) => entry)
}

function write(entry: Loaded, afresh: boolean): Output | undefined {
  try {
    const lines = afresh ? entry.pdf.pages.map(findLines) : entry.lines
    const document = understand(entry.pdf, lines)
    return { markdown: writeMarkdown(document, {}), docx: writeDocx(document) }
  } catch {
    return undefined
  }
}

/** `strict` or `overall` if a benchmark has it, otherwise the mean of its metrics. */
function judge(scores: Scores): number {
  return scores.strict ?? scores.overall ?? mean(Object.values(scores))
}
