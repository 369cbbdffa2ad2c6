import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nativeHelpers } from '../../../packages/converter/src/native-helpers.ts'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import type { Facts } from '../../../packages/pdf/src/facts.ts'
import { listScans, makeScans, type Scan, usualCount } from './make.ts'
import { f1, match } from './score.ts'

// Compares pages that are printed and scanned by simulation with their source text: npm run fidelity -- scans FOLDER
// [fit|measure|unseen|all] [COUNT] [LANGUAGES] [TEXTS], with COUNT documents per language and LANGUAGES such as tha,hin
// (default: all). Those of `unseen` use the texts in the folder TEXTS. The scans stay in the folder.

// As in the service: tesseract starts faster.
process.env.LD_PRELOAD = join(nativeHelpers, 'kiln-tesseract.so')

interface Row extends Pick<Scan, 'device' | 'part'> {
  name: string
  language: string
  f1: number
  recall: number
  precision: number
  cpu: number
  facts?: Facts
}

export async function measureScans(folder: string, args: string[]): Promise<void> {
  const [part = 'all', count = usualCount, languages = 'all', texts] = args
  if (part === 'unseen' && !texts) throw new Error('Documents that are unseen need a folder with texts.')
  const wanted = listScans(folder, Number(count), texts).filter(
    (scan) =>
      (part === 'all' || scan.part === part) &&
      (languages === 'all' || languages.split(',').includes(scan.document.language.tesseract)),
  )
  await makeScans(wanted, folder)
  const rows: Row[] = []
  for (const scan of wanted) {
    const row = await measureScan(scan)
    rows.push(row)
    console.log(
      `${row.part} ${row.name} ${row.device} F1 ${percent(row.f1)} recall ${percent(row.recall)} precision ${percent(row.precision)} ${row.cpu.toFixed(2)} s ${row.facts?.languages.join('+') ?? ''}`,
    )
  }
  for (const part of ['fit', 'measure', 'unseen'] as const) {
    const own = rows.filter((r) => r.part === part)
    if (own.length === 0) continue
    console.log(`\n${part}: ${own.length} pages, mean F1 ${percent(mean(own.map((r) => r.f1)))}`)
    console.log(`CPU per page ${mean(own.map((r) => r.cpu)).toFixed(2)} s`)
    table(own, (r) => r.device)
    table(own, (r) => r.language)
    table(own, (r) => r.name.split('-')[1] ?? '')
  }
}

export const percent = (share: number): string => (100 * share).toFixed(1)
export const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

function table(rows: readonly Row[], keyOf: (row: Row) => string): void {
  const groups = [...Map.groupBy(rows, keyOf)]
  for (const [key, own] of groups)
    console.log(
      `${key}: F1 ${percent(mean(own.map((r) => r.f1)))}, CPU ${mean(own.map((r) => r.cpu)).toFixed(2)} s`,
    )
}

export async function measureScan({ document, device, part, file }: Scan): Promise<Row> {
  const { name, language, truth } = document
  const before = cpuSeconds()
  let facts: Facts | undefined
  let text = ''
  try {
    const onFacts = (seen: Facts): void => {
      facts = seen
    }
    text = Buffer.from(await convertPdf(readFileSync(file), 'txt', { onFacts })).toString('utf8')
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`)
  }
  const cpu = cpuSeconds() - before
  const found = match(truth.join(' '), text, language.unit)
  return {
    ...{ name, device, part, cpu, language: language.tesseract, f1: f1(found) },
    recall: found.common / Math.max(1, found.truth),
    precision: found.common / Math.max(1, found.found),
    ...(facts ? { facts } : {}),
  }
}

/** CPU time of this process and of its exited children; Linux counts 100 ticks per second. */
export function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
