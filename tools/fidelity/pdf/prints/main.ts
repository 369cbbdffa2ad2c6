import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from '../../../read-arguments.ts'
import { type PdfOptions, type Printer, printAll } from '../../print.ts'
import { listDocuments, partOf } from '../evaluation/corpus.ts'
import { makeDocument } from './document.ts'
import { type Look, makeLook } from './looks.ts'
import { createRandom, pick, sampleSources, scriptSources, sourcesOf, type TextSource } from './texts.ts'

const usage = `npm run generate-prints -- TRUTH BENCHMARKS FOLDER [--looks COUNT] [--documents COUNT]

Generates PDFs of known structure, by seed, for npm run evaluate-pdf -- … --prints FOLDER: three documents in each
of 240 looks.
`
// Three more looks for each of nine languages, with one document each, form a separate benchmark: `scripts`.
// Writes INDEX.tsv and data/ID/{in.pdf,truth.md} to FOLDER; existing documents are not printed again.

const { values, positionals } = readArguments(
  usage,
  {
    looks: { type: 'string', default: '240' },
    documents: { type: 'string', default: '3' },
  },
  3,
)
const [truth = '', benchmarks = '', folder = ''] = positionals

/** Documents per start of Chromium and LibreOffice. */
const batch = 40
const documents = listDocuments({ truth, benchmarks })
const sources = {
  development: sourcesOf(documents, 'development'),
  validation: sourcesOf(documents, 'validation'),
  final: sourcesOf(documents, 'final'),
}

interface Planned {
  id: string
  look: Look
  seed: number
  /** By default one of the look's part. */
  source?: TextSource
}
const inParts: Planned[] = Array.from({ length: Number(values.looks) }, (_, l) => makeLook(l)).flatMap(
  (look, l) =>
    Array.from({ length: Number(values.documents) }, (_, d) => ({
      id: `${look.name}-${d}`,
      look,
      seed: l * 1000 + d,
    })),
)
/** Looks after those of the other prints. */
const firstScriptLook = 10_000
const printers: readonly Printer[] = ['chromium', 'libreoffice', 'word']
const inScripts: Planned[] = sampleSources.flatMap((source, s) =>
  printers.map((printer, p) => {
    const seed = firstScriptLook + s * printers.length + p
    const look = { ...makeLook(seed), printer, tagged: false }
    return { id: look.name, look, seed, source }
  }),
)
const planned = [...inParts, ...inScripts]
const rows = planned.map(({ id, look, source }) =>
  [id, look.name, look.printer, source ? 'scripts' : 'prints'].join('\t'),
)
mkdirSync(join(folder, 'data'), { recursive: true })
writeFileSync(join(folder, 'INDEX.tsv'), `${['id\tlook\tprinter\tbenchmark', ...rows].join('\n')}\n`)
const missing = planned.filter(({ id }) => !existsSync(join(folder, 'data', id, 'in.pdf')))
for (const printer of printers) {
  for (const tagged of [true, false]) {
    const own = missing.filter(({ look }) => look.printer === printer && look.tagged === tagged)
    for (let from = 0; from < own.length; from += batch)
      await print(printer, tagged, own.slice(from, from + batch))
  }
}

async function print(printer: Printer, tagged: boolean, own: readonly Planned[]): Promise<void> {
  const scratch = join(folder as string, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const files = own.map(({ id, look, seed, source: given }) => {
    const next = createRandom(seed)
    for (let i = 0; i < 8; i++) next(2)
    const source = given ?? pick(next, look.script ? scriptSources : sources[partOf(look.name)])
    const { html, truth: expected, title } = makeDocument(look, source, next)
    const target = join(folder as string, 'data', id)
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'truth.md'), expected)
    const file = join(scratch, `${id}.html`)
    writeFileSync(file, html)
    return { file, look, title, target }
  })
  const optionsOf = new Map(files.map(({ file, look, title }) => [file, marginsOf(look, title)]))
  const printed = await printAll(
    printer,
    files.map((f) => f.file),
    scratch,
    { tagged, pdf: (file) => ({ tagged, ...optionsOf.get(file) }) },
  )
  for (const [i, pdf] of printed.entries())
    if (existsSync(pdf)) renameSync(pdf, join((files[i] as { target: string }).target, 'in.pdf'))
  rmSync(scratch, { recursive: true })
}

/** Chromium draws these templates over the whole page. */
function marginsOf({ margins, fontSize, pitch }: Look, title: string): PdfOptions {
  const { header, footer, lineNumbers } = margins
  const text = 'font-size:8px; width:100%; padding:0 60px; position:relative'
  const numbers = Array.from({ length: 28 }, (_, i) => `<div>${i + 1}</div>`).join('')
  const lines = `<div style="position:absolute; left:24px; top:90px; font-size:${fontSize}px; line-height:${pitch * 1.33}">${numbers}</div>`
  return {
    displayHeaderFooter: header || footer || lineNumbers,
    headerTemplate: `<div style="${text}">${header ? title : ''}${lineNumbers ? lines : ''}</div>`,
    footerTemplate: footer
      ? `<div style="${text}; text-align:center"><span class="pageNumber"></span> / <span class="totalPages"></span></div>`
      : '<span></span>',
  }
}
