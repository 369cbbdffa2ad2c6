import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scannedPage } from '@kiln/test-support/pdf-file.ts'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import type { Facts } from '../../../packages/pdf/src/facts.ts'
import { type Printer, printAll } from '../../evidence/print.ts'
import { type Half, halfOf } from '../halves.ts'
import { type Device, damageOf, degrade, devices, type GreyImage } from './degrade.ts'
import { makeScanDocument, type ScanDocument, scanLanguages } from './documents.ts'
import { f1, match } from './score.ts'

// Pages that are printed here and scanned by simulation, against the text that they were made from: npm run fidelity --
// scans FOLDER [fit|measure|all] [COUNT], with COUNT documents in each language. The scans stay in the folder. It needs Chromium, LibreOffice,
// poppler-utils and ffmpeg.

/** Scans of each language; each meets all devices and all kinds of documents. */
const usualCount = 6
const renderDots = 300

interface Scan {
  document: ScanDocument
  seed: number
  device: Device
  half: Half
  file: string
}

interface Row extends Pick<Scan, 'device' | 'half'> {
  name: string
  language: string
  f1: number
  recall: number
  precision: number
  cpu: number
  facts?: Facts
}

function listScans(folder: string, count: number): Scan[] {
  return scanLanguages.flatMap((language, l) =>
    Array.from({ length: count }, (_, i) => {
      const seed = usualCount * l + i
      const document = makeScanDocument(language, seed + Math.floor(l / 2))
      const device = devices[(l + i) % devices.length] ?? 'scanner'
      const file = join(folder, `${document.name}-${device}.pdf`)
      return { document, seed, device, half: halfOf(document.name), file }
    }),
  )
}

export async function measureScans(folder: string, _keep: boolean, ...only: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [half = 'all', count = usualCount] = only
  const wanted = listScans(folder, Number(count)).filter((scan) => half === 'all' || scan.half === half)
  await makeScans(wanted, folder)
  const rows: Row[] = []
  for (const scan of wanted) {
    const row = await measureScan(scan)
    rows.push(row)
    console.log(
      `${row.half} ${row.name} ${row.device} F1 ${percent(row.f1)} recall ${percent(row.recall)} precision ${percent(row.precision)} ${row.cpu.toFixed(2)} s ${row.facts?.languages.join('+') ?? ''}`,
    )
  }
  for (const part of ['fit', 'measure'] as const) {
    const own = rows.filter((r) => r.half === part)
    if (own.length === 0) continue
    console.log(`\n${part}: ${own.length} pages, mean F1 ${percent(mean(own.map((r) => r.f1)))}`)
    console.log(`CPU per page ${mean(own.map((r) => r.cpu)).toFixed(2)} s`)
    table(own, (r) => r.device)
    table(own, (r) => r.language)
    table(own, (r) => r.name.split('-')[1] ?? '')
  }
}

const percent = (share: number): string => (100 * share).toFixed(1)
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

function table(rows: readonly Row[], keyOf: (row: Row) => string): void {
  const groups = [...Map.groupBy(rows, keyOf)]
  console.log(groups.map(([key, own]) => `${key} ${percent(mean(own.map((r) => r.f1)))}`).join(', '))
}

async function measureScan({ document, device, half, file }: Scan): Promise<Row> {
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
    ...{ name, device, half, cpu, language: language.tesseract, f1: f1(found) },
    recall: found.common / Math.max(1, found.truth),
    precision: found.common / Math.max(1, found.found),
    ...(facts ? { facts } : {}),
  }
}

/** CPU time of this process and of its children that have ended; Linux counts a hundred ticks a second. */
function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

async function makeScans(scans: readonly Scan[], folder: string): Promise<void> {
  const missing = scans.filter(({ file }) => !existsSync(file))
  const sourceOf = ({ document }: Scan, ending: string): string => join(folder, document.name + ending)
  for (const scan of missing) writeFileSync(sourceOf(scan, '.html'), scan.document.html)
  const printers: readonly Printer[] = ['chromium', 'libreoffice']
  for (const [i, printer] of printers.entries()) {
    const own = missing.filter((scan) => printerIndex(scan) === i)
    await printAll(
      printer,
      own.map((scan) => sourceOf(scan, '.html')),
      folder,
    )
  }
  let other: GreyImage | undefined
  for (const scan of missing) {
    const page = paint(sourceOf(scan, '.pdf'))
    const image = degrade(page, other ?? page, damageOf(scan.device, scan.seed), scan.seed)
    const jpeg = encode(image, damageOf(scan.device, scan.seed).jpeg)
    writeFileSync(scan.file, scannedPage(jpeg, image))
    writeFileSync(scan.file.replace(/pdf$/, 'jpg'), jpeg)
    other = page
  }
}

/** LibreOffice does not set the columns of a web page. */
const printerIndex = ({ document, seed }: Scan): number => (document.name.includes('columns') ? 0 : seed % 2)

function paint(file: string): GreyImage {
  const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' })
  if (!/^Pages:\s+1$/m.test(info)) throw new Error(`${file} has more than one page; its truth is of one.`)
  const pgm = execFileSync('pdftoppm', ['-r', String(renderDots), '-gray', '-singlefile', file], {
    maxBuffer: 2 ** 28,
  })
  const head = /^P5\s(\d+)\s(\d+)\s255\s/.exec(pgm.subarray(0, 64).toString('latin1'))
  if (!head) throw new Error(`${file} was not painted.`)
  return { width: Number(head[1]), height: Number(head[2]), pixels: pgm.subarray(head[0].length) }
}

function encode({ width, height, pixels }: GreyImage, quality: number): Buffer {
  const raw = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${width}x${height}`, '-i', '-']
  const jpeg = ['-frames:v', '1', '-f', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', String(quality), '-']
  return execFileSync('ffmpeg', ['-v', 'error', ...raw, ...jpeg], { input: pixels, maxBuffer: 2 ** 28 })
}
