import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { convertWithKiln, type Document } from './convert-with-kiln.ts'
import { convertWithStock } from './convert-with-stock.ts'
import { documentTable, type Figures, table } from './report.ts'
import { readScores, summarise } from './scores.ts'

// Compares office documents with the PDFs that Microsoft's programs made of them. The folder has `data/INDEX.tsv` (id
// and kind of each document), `data/ID.KIND`, `data/ID.pdf` and `bench.py`, which scores; it needs Debian's
// python3-fitz, python3-numpy, python3-opencv and python3-skimage.

const run = promisify(execFile)
const storedFile = resolve(import.meta.dirname, '../../../docs/fidelity/office.json')

export async function measureOffice(folder: string, args: string[]): Promise<void> {
  const data = join(folder, 'data')
  const documents = await listDocuments(data)
  const place = await mkdtemp(join(tmpdir(), 'kiln-fidelity-'))
  const folders = { stock: join(place, 'stock'), kiln: join(place, 'kiln') }
  try {
    console.error(`${documents.length} documents: Kiln converts them …`)
    await convertWithKiln(documents, folders.kiln)
    console.error('LibreOffice as it comes converts them, unless an earlier run has …')
    await convertWithStock(documents, folders.stock)
    console.error('both are scored …')
    const pdfs = (['stock', 'kiln'] as const).flatMap((name) => ['--pdfs', `${name}=${folders[name]}`])
    await run('/usr/bin/python3', [resolve(folder, 'bench.py'), ...pdfs], {
      cwd: place,
      maxBuffer: 64 * 1024 * 1024,
    })
    const scores = readScores(await readFile(join(place, 'results.tsv'), 'utf8'))
    const of = (name: string) => summarise(scores.filter(({ converter }) => converter === name))
    const figures = { stock: of('stock'), kiln: of('kiln') }
    console.log(documentTable(scores))
    console.log(table(figures, JSON.parse(await readFile(storedFile, 'utf8')) as Figures))
    if (args.includes('--keep')) await writeFile(storedFile, `${JSON.stringify(figures, undefined, 2)}\n`)
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
