import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scannedPage } from '@kiln/test-support/pdf-file.ts'
import { type Half, halfOf } from '../halves.ts'
import { type Printer, printAll } from '../print.ts'
import { beside, type Device, damageOf, degrade, devices, type GreyImage } from './degrade.ts'
import { makeScanDocument, type ScanDocument, scanLanguages } from './documents.ts'

// Prints documents and simulates scanning them. Existing scans in the folder are kept. It needs Chromium, LibreOffice,
// poppler-utils and ffmpeg.

/** Scans per language; each language is combined with all devices and all kinds of documents. */
export const usualCount = 6
const renderDots = 300
const pointsPerInch = 72
const usualWidth = 612
/** The first seed of documents with other texts. */
const ofOtherTexts = 1000

export interface Scan {
  document: ScanDocument
  seed: number
  device: Device
  part: Half | 'unseen'
  file: string
}

/** `texts` is a folder with a text of each language, such as deu.txt, a sentence or short paragraph on each line. */
export function listScans(folder: string, count: number, texts?: string): Scan[] {
  return scanLanguages.flatMap((language, l) => {
    const other = texts && readFileSync(join(texts, `${language.tesseract}.txt`), 'utf8')
    const lines = other ? other.split('\n').filter((line) => line.trim()) : undefined
    return Array.from({ length: count }, (_, i) => {
      const seed = (lines ? ofOtherTexts : 0) + usualCount * l + i
      const document = makeScanDocument(language, seed + Math.floor(l / 2), lines)
      const device = devices[(l + i) % devices.length] ?? 'scanner'
      const file = join(folder, `${document.name}-${device}.pdf`)
      return { document, seed, device, part: lines ? 'unseen' : halfOf(document.name), file }
    })
  })
}

/** The same documents under a phone at an angle, and each with the next one of its language as a book. */
export function listMoreScans(scans: readonly Scan[]): Scan[] {
  const fileOf = ({ file }: Scan, device: Device): string => file.replace(/\w+\.pdf$/, `${device}.pdf`)
  return scans.flatMap((scan, i) => {
    const tilted: Scan = { ...scan, device: 'tilted', file: fileOf(scan, 'tilted') }
    const next = scans[i + 1]
    if (next?.document.language !== scan.document.language) return [tilted]
    const document = {
      ...scan.document,
      name: `${scan.document.name}-book`,
      html:
        scan.document.html.replace(/<\/body>.*/s, '') + next.document.html.replace(/^.*<body>/s, nextPage),
      truth: [...scan.document.truth, ...next.document.truth],
    }
    return [tilted, { ...scan, document, device: 'book', file: fileOf(scan, 'book') }]
  })
}
const nextPage = '<div style="break-before: page"></div>'

export async function makeScans(scans: readonly Scan[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
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
    const printed = sourceOf(scan, '.pdf')
    const pages = scan.device === 'book' ? 2 : 1
    if (pageCount(printed) !== pages) throw new Error(`${printed} does not have ${pages} pages.`)
    const page = paint(printed)
    const degraded = (page: GreyImage, seed: number) =>
      degrade(page, other ?? page, damageOf(scan.device, seed), seed)
    const left = degraded(page, scan.seed)
    const image = pages === 2 ? beside(left, degraded(paint(printed, 2), scan.seed + 1)) : left
    const jpeg = encode(image, damageOf(scan.device, scan.seed).jpeg)
    writeFileSync(scan.file, scannedPage(jpeg, image, pages === 2 ? 2 * usualWidth : usualWidth))
    writeFileSync(scan.file.replace(/pdf$/, 'jpg'), jpeg)
    other = page
  }
}

/** LibreOffice does not support the columns of a web page. */
const printerIndex = ({ document, seed }: Scan): number => (/columns|book/.test(document.name) ? 0 : seed % 2)

/** Simulates scanning of all pages of a PDF with one device. */
export function scanPages(printed: string, file: string, device: Device, seed: number): void {
  const damage = damageOf(device, seed)
  let other: GreyImage | undefined
  const pages = Array.from({ length: pageCount(printed) }, (_, i) => {
    const page = paint(printed, i + 1)
    const image = degrade(page, other ?? page, damage, seed + i)
    other = page
    const single = `${file}.${i + 1}`
    const width = (pointsPerInch * image.width) / (renderDots * damage.scale)
    writeFileSync(single, scannedPage(encode(image, damage.jpeg), image, width))
    return single
  })
  execFileSync('qpdf', ['--empty', '--pages', ...pages, '--', file])
  for (const page of pages) rmSync(page)
}

export const pageCount = (file: string): number =>
  Number(/^Pages:\s+(\d+)$/m.exec(execFileSync('pdfinfo', [file], { encoding: 'utf8' }))?.[1])

function paint(file: string, page = 1): GreyImage {
  const pages = ['-f', String(page), '-l', String(page), '-singlefile']
  const pgm = execFileSync('pdftoppm', ['-r', String(renderDots), '-gray', ...pages, file], {
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
