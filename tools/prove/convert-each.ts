import { execFileSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { Kiln } from '@kiln/client'
import { unzip } from '@kiln/test-support/zip.ts'
import { pdfText } from '../../e2e/pdf-text.ts'
import { movingGif, readMp4 } from '../../e2e/video-files.ts'

// Converts one file of each kind with a running service, so that every engine works once, and searches each output for
// the words of its input. A step may take the output of an earlier one.
//
//   KILN_URL=http://localhost:8080/api KILN_API_KEY=kiln_live_… node tools/prove/convert-each.ts

const english = 'Fired clay'
const words = [english, 'обожжённая глина', '陶土']
const page = (body: string) => Buffer.from(`<!doctype html><meta charset="utf-8">${body}\n`)

interface Step {
  pair: string
  engine: string
  input: (made: Map<string, Buffer>) => Uint8Array | Promise<Uint8Array>
  check: (output: Buffer) => void | Promise<void>
}

const steps: readonly Step[] = [
  {
    pair: 'md-to-docx',
    engine: 'pandoc',
    input: () => Buffer.from(words.map((word) => `# ${word}\n`).join('\n')),
    check: (output) => holds(words, wordText(output)),
  },
  {
    pair: 'docx-to-pdf',
    engine: 'LibreOffice',
    input: (made) => take(made, 'md-to-docx'),
    check: async (output) => holds(words, await pdfText(output)),
  },
  {
    pair: 'html-to-pdf',
    engine: 'Chromium',
    input: () => page(words.map((word) => `<h1>${word}</h1>`).join('')),
    check: async (output) => holds(words, await pdfText(output)),
  },
  {
    pair: 'pdf-to-docx',
    engine: 'the PDF engine',
    input: (made) => take(made, 'html-to-pdf'),
    check: (output) => holds(words, wordText(output)),
  },
  {
    pair: 'txt-to-pdf',
    engine: 'LibreOffice',
    input: () => Buffer.from(`${english} keeps its shape.\n`.repeat(12)),
    check: async (output) => holds([english], await pdfText(output)),
  },
  {
    // A scanned page: its picture instead of its text.
    pair: 'html-to-pdf',
    engine: 'Chromium',
    input: (made) => {
      const picture = photograph(take(made, 'txt-to-pdf'))
      const style =
        '<style>@page { margin: 0 } img { position: fixed; inset: 0; width: 100vw; max-width: none }</style>'
      return page(`${style}<img src="data:image/png;base64,${picture.toString('base64')}">`)
    },
    check: async (output) => {
      const text = await pdfText(output)
      if (text.includes(english)) throw new Error(`it should be a picture, and holds text: ${text}`)
    },
  },
  {
    pair: 'pdf-to-md',
    engine: 'the PDF engine and Tesseract',
    input: (made) => take(made, 'html-to-pdf'),
    check: (output) => holds([english], output.toString()),
  },
  {
    pair: 'gif-to-mp4',
    engine: 'ffmpeg',
    input: () => movingGif(64, 48, 25),
    check: (output) => {
      const { width, height, seconds } = readMp4(output)
      if (width !== 64 || height !== 48 || Math.abs(seconds - 1) > 0.1)
        throw new Error(`it should be 64 × 48 for a second, and is ${width} × ${height} for ${seconds} s`)
    },
  },
]

export interface Target {
  baseUrl: string
  apiKey: string
  say: (line: string) => void
}

/** Prints each conversion as it ends; returns one sentence for each whose output is wrong. */
export async function convertEach({ baseUrl, apiKey, say }: Target): Promise<string[]> {
  // A small or busy machine may answer slowly.
  const kiln = new Kiln({ baseUrl, apiKey, requestTimeout: 600_000, idleTimeout: 600_000 })
  const made = new Map<string, Buffer>()
  const faults: string[] = []
  for (const { pair, engine, input, check } of steps) {
    const started = Date.now()
    try {
      const { stream } = await kiln.convert(await input(made), { pair })
      const output = await buffer(stream)
      made.set(pair, output)
      await check(output)
      say(`${pair} by ${engine}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
    } catch (error) {
      faults.push(`${pair} by ${engine}: ${(error as Error).message}`)
    }
  }
  return faults
}

function take(made: Map<string, Buffer>, pair: string): Buffer {
  const found = made.get(pair)
  if (!found) throw new Error(`${pair} made nothing that it could take`)
  return found
}

function holds(expected: readonly string[], text: string): void {
  // A reader of PDF may put any space between words.
  const flat = text.replaceAll(/\s+/g, ' ')
  const lost = expected.filter((word) => !flat.includes(word))
  if (lost.length > 0) throw new Error(`“${lost.join('”, “')}” was lost: ${flat.slice(0, 200)}`)
}

const wordText = (bytes: Buffer): string => {
  const xml = unzip(bytes).get('word/document.xml')?.toString() ?? ''
  return xml.replaceAll('</w:p>', ' ').replaceAll(/<[^>]*>/g, '')
}

/** The first page as a PNG. */
const photograph = (pdf: Buffer): Buffer =>
  execFileSync('pdftoppm', ['-png', '-r', '150', '-singlefile', '-'], { input: pdf, maxBuffer: 2 ** 28 })

if (import.meta.main) {
  const { KILN_URL = 'http://localhost:8080/api', KILN_API_KEY = '' } = process.env
  const faults = await convertEach({ baseUrl: KILN_URL, apiKey: KILN_API_KEY, say: console.log })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
