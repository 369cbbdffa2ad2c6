import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { barChart } from '../../bench/plots/bar-chart.ts'
import { measureBusiness } from './business.ts'
import { benchmarks, type FileScores, type Summary, summarise } from './scores.ts'

// PDFs to Markdown against truth that people wrote, and pages of business against the truth they were made from. The
// folder has `data/INDEX.tsv` and `bench.py`, which converts and scores; it needs Debian's python3-lxml, python3-numpy,
// python3-levenshtein and poppler-utils. The pages of business need Chromium and LibreOffice.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')
const docs = join(repository, 'docs/fidelity')
const keptFile = join(docs, 'pdf.json')
const program = join(repository, 'packages/pdf/build/main.js')

export async function measurePdf(folder: string, keep: boolean): Promise<void> {
  if (!existsSync(program))
    throw new Error(`${program} is missing. Run \`node scripts/setup.mjs\`, which makes it.`)
  const place = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  try {
    const command = `kiln=${process.execPath} ${program} {in} {out}`
    await run('/usr/bin/python3', [resolve(folder, 'bench.py'), '--cmd', command, '--work', place], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const found: Summary[] = []
    for (const benchmark of benchmarks) {
      const file = join(place, 'kiln', `${benchmark}.json`)
      if (existsSync(file))
        found.push(
          ...summarise(benchmark, JSON.parse(await readFile(file, 'utf8')) as Record<string, FileScores>),
        )
    }
    found.push(...summarise('business', await measureBusiness(join(place, 'business'))))
    console.log(table(found, readKept()))
    if (keep) await keepFigures(found)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

const readKept = (): Summary[] | undefined =>
  existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as Summary[]) : undefined

function table(found: readonly Summary[], kept: readonly Summary[] | undefined): string {
  const rows = found.map((own) => {
    const last = kept?.find((k) => k.benchmark === own.benchmark && k.metric === own.metric)
    return `| ${own.benchmark} | ${own.metric} | ${figure(own.fit, last?.fit)} | ${figure(own.measure, last?.measure)} |`
  })
  return ['| benchmark | metric | fit half | measure half |', '|---|---|---|---|', ...rows].join('\n')
}

/** More would not fit side by side. */
const drawn = new Set([
  'odl overall',
  'icdar adjacency F1',
  'ppb TEDS',
  'ppb latex',
  'jose overall',
  'olmocr passed',
  'business runs',
  'business rows',
])

/** The figure, and how far it is from the last one kept. */
function figure(value: number | undefined, last: number | undefined): string {
  if (value === undefined) return '–'
  if (last === undefined) return value.toFixed(3)
  return `${value.toFixed(3)} (${value < last ? '−' : '+'}${Math.abs(value - last).toFixed(3)})`
}

async function keepFigures(found: readonly Summary[]): Promise<void> {
  await mkdir(docs, { recursive: true })
  await writeFile(keptFile, `${JSON.stringify(found, undefined, 2)}\n`)
  const main = found.filter(({ benchmark, metric }) => drawn.has(`${benchmark} ${metric}`))
  const hundredths = (value: number | undefined): number => Math.round(1000 * (value ?? 0)) / 10
  await writeFile(
    join(docs, 'pdf.svg'),
    barChart({
      title: 'PDF understood: agreement with the truth (100 is the same)',
      groups: main.map(({ benchmark, metric }) => `${benchmark} ${metric}`),
      series: [
        { name: 'half that rules were made on', values: main.map(({ fit }) => hundredths(fit)) },
        { name: 'other half', values: main.map(({ measure }) => hundredths(measure)) },
      ],
    }),
  )
}
