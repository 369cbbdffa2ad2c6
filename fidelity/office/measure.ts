import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { barChart } from '../../bench/plots/bar-chart.ts'
import { convertWithKiln, type Document } from './convert-with-kiln.ts'
import { convertWithStock } from './convert-with-stock.ts'
import { readScores, type Summary, summarise } from './scores.ts'

// Office documents against the PDFs that Microsoft's programs made of them. The folder has `data/INDEX.tsv` (id and
// kind of each document), `data/ID.KIND`, `data/ID.pdf` and `bench.py`, which scores; it needs Debian's
// python3-fitz, python3-numpy, python3-opencv and python3-skimage.

const run = promisify(execFile)
const docs = resolve(import.meta.dirname, '../../docs/fidelity')
const keptFile = join(docs, 'office.json')

export async function measureOffice(folder: string, keep: boolean): Promise<void> {
  const documents = await listDocuments(join(folder, 'data'))
  const place = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  try {
    await convertWithKiln(documents, join(place, 'kiln'))
    await convertWithStock(documents, join(place, 'stock'))
    const pdfs = ['stock', 'kiln'].flatMap((name) => ['--pdfs', `${name}=${join(place, name)}`])
    await run('/usr/bin/python3', [resolve(folder, 'bench.py'), ...pdfs], {
      cwd: place,
      maxBuffer: 64 * 1024 * 1024,
    })
    const scores = readScores(await readFile(join(place, 'results.tsv'), 'utf8'))
    const of = (name: string) => summarise(scores.filter(({ converter }) => converter === name))
    const [stock, kiln] = [of('stock'), of('kiln')]
    console.log(table(stock, kiln, readKept()))
    if (keep) await keepFigures(stock, kiln)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function listDocuments(data: string): Promise<Document[]> {
  const [, ...lines] = (await readFile(join(data, 'INDEX.tsv'), 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const [id = '', kind = ''] = line.split('\t')
    return { id, path: resolve(data, `${id}.${kind}`) }
  })
}

interface Kept {
  stock: Summary[]
  kiln: Summary[]
}

const readKept = (): Kept | undefined =>
  existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as Kept) : undefined

function table(stock: readonly Summary[], kiln: readonly Summary[], kept: Kept | undefined): string {
  const same = (list: readonly Summary[] | undefined, { kind, half }: Summary) =>
    list?.find((each) => each.kind === kind && each.half === half)
  const rows = kiln.map((own) => {
    const other = same(stock, own)
    const last = same(kept?.kiln, own)?.score
    const change =
      last === undefined ? '' : ` (${own.score < last ? '−' : '+'}${Math.abs(own.score - last).toFixed(1)})`
    return (
      `| ${own.kind} | ${own.half} | ${own.files} | ${other?.score} | ${own.score}${change} | ` +
      `${other?.pagesRight} → ${own.pagesRight} | ${other?.moved} → ${own.moved} |`
    )
  })
  return [
    '| kind | half | files | stock | Kiln | pages right | words moved, pt |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

async function keepFigures(stock: readonly Summary[], kiln: readonly Summary[]): Promise<void> {
  const whole = (list: readonly Summary[]) => list.filter(({ half }) => half === 'all')
  await mkdir(docs, { recursive: true })
  await writeFile(keptFile, `${JSON.stringify({ stock, kiln }, undefined, 2)}\n`)
  await writeFile(
    join(docs, 'office.svg'),
    barChart({
      title: "Office documents: how true to Microsoft's own PDF (100 is the same page)",
      groups: whole(kiln).map(({ kind }) => kind),
      series: [
        { name: 'LibreOffice as it comes', values: whole(stock).map(({ score }) => score) },
        { name: 'Kiln', values: whole(kiln).map(({ score }) => score) },
      ],
    }),
  )
}
