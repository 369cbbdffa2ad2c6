import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import { type EvaluatedDocument, listDocuments } from '../pdf/evaluation/corpus.ts'
import { mean, type Scores, startScorer } from '../pdf/evaluation/scorer.ts'
import { type Device, devices } from './degrade.ts'
import { pageCount, scanPages } from './make.ts'
import { cpuSeconds } from './measure.ts'
import { notice } from './score.ts'

// Headings, lists, tables and text of generated prints (`npm run generate-prints`), and of the same prints after
// simulated scanning, scored against the same truth: npm run fidelity -- scan-structure FOLDER TRUTH BENCHMARKS PRINTS
// [development|validation|final] [PAGES]. Documents have up to PAGES pages. FOLDER keeps scans and outputs.

const usualPages = 3
const metrics = ['text', 'headings', 'lists', 'tables', 'overall', 'strict'] as const

/** Scripts that the set-up installs data of a language for. */
const scripts = 'Zyyy Latn Cyrl Grek Hani Hira Kana Hang Thai Hebr Arab Deva Beng'.split(' ')
const foreign = new RegExp(`(?=\\p{L})[^${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

interface Row {
  document: EvaluatedDocument
  device: Device
  printed: Scores
  scanned: Scores
  pages: number
  /** CPU seconds of the scanned document. */
  cpu: number
}

export async function measureStructure(folder: string, args: string[]): Promise<void> {
  const [truth, benchmarks, prints, part = 'development', maxPages = usualPages] = args
  if (!truth || !benchmarks || !prints) throw new Error('It needs the folders TRUTH, BENCHMARKS and PRINTS.')
  mkdirSync(folder, { recursive: true })
  const documents = listDocuments({ truth, benchmarks, prints })
    .filter((d) => d.file.startsWith(prints) && pageCount(d.file) <= Number(maxPages))
    // The device is that of the position in the whole list.
    .map((document, i) => ({ document, seed: i, device: devices[i % devices.length] ?? 'scanner' }))
    .filter(({ document }) => document.part === part && isReadable(document))
  const scorer = startScorer({ truth, benchmarks }, folder)
  const rows: Row[] = []
  for (const { document, seed, device } of documents) {
    const scan = join(folder, `${document.owner}-${document.id.replaceAll('/', '-')}-${device}.pdf`)
    if (!existsSync(scan)) scanPages(document.file, scan, device, seed)
    const scoreOf = async (file: string, output: string): Promise<Scores> => {
      const markdown = await toMarkdown(file)
      writeFileSync(output, markdown)
      return scorer.score(document, { markdown, docx: new Uint8Array() })
    }
    const printed = await scoreOf(document.file, scan.replace(/pdf$/, 'printed.md'))
    const before = cpuSeconds()
    const scanned = await scoreOf(scan, scan.replace(/pdf$/, 'md'))
    const row = { document, device, printed, scanned, pages: pageCount(scan), cpu: cpuSeconds() - before }
    rows.push(row)
    if (part !== 'final') console.log(`${document.id} ${device} ${line([row])}`)
  }
  scorer.close()
  const pages = rows.reduce((sum, row) => sum + row.pages, 0)
  const cpu = rows.reduce((sum, row) => sum + row.cpu, 0)
  console.log(
    `\n${part}: ${rows.length} documents, ${pages} pages, ${(cpu / pages).toFixed(2)} s of CPU per page`,
  )
  console.log(`all: ${line(rows)}`)
  for (const [device, own] of Map.groupBy(rows, (row) => row.device)) console.log(`${device}: ${line(own)}`)
  for (const [name, own] of Map.groupBy(rows, (row) => row.document.benchmark))
    console.log(`${name}: ${line(own)}`)
}

const isReadable = ({ folder }: EvaluatedDocument): boolean =>
  !foreign.test(readFileSync(join(folder, 'truth.md'), 'utf8'))

async function toMarkdown(file: string): Promise<string> {
  try {
    return Buffer.from(await convertPdf(readFileSync(file), 'md'))
      .toString('utf8')
      .replace(notice, '')
  } catch (error) {
    console.error(`${file}: ${(error as Error).message}`)
    return ''
  }
}

/** The means of each metric over the documents that it applies to: printed, scanned and their ratio. */
function line(rows: readonly Row[]): string {
  const parts = metrics.flatMap((metric) => {
    const own = rows.filter(({ printed }) => printed[metric] !== undefined)
    if (own.length === 0) return []
    const [printed, scanned] = [
      mean(own.map((row) => row.printed[metric] ?? 0)),
      mean(own.map((row) => row.scanned[metric] ?? 0)),
    ]
    return [`${metric} ${printed.toFixed(3)} → ${scanned.toFixed(3)} (${(scanned / printed).toFixed(2)})`]
  })
  return parts.join(', ')
}
