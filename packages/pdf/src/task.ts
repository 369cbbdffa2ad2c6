import { readFileSync, writeFileSync } from 'node:fs'
import { type ConvertOptions, convertWith, type OutputFormat } from './convert.ts'
import { type Facts, listenToRecognition } from './facts.ts'
import { ConversionFailure } from './failure.ts'
import { pictureAsPdf } from './read/image-input.ts'
import { findOcrEngine } from './read/ocr/engine.ts'
import { loadPdfium, type Pdfium } from './read/pdfium.ts'
import { readTextLayer } from './read/text-layer.ts'

export interface ConvertTask {
  input: string
  output: string
  /** `layer`: the OCR words of scanned pages with their positions. */
  format: OutputFormat | 'layer'
  options: ConvertOptions
  deadline: number
}

export type Message =
  | { ready: true }
  | { progress: number }
  | { facts: Facts }
  | { failure: string; sentence: string }
  | { done: true }

export type Send = (message: Message) => void

/** Share of the time: the rest is for pages in progress and for the program that adds the text layer. */
const shareOfLayer = 0.8

/** A picture is also converted to a PDF, in addition to the text layer. */
function writeLayer(
  pdfium: Pdfium,
  pdf: Uint8Array,
  isPicture: boolean,
  { output, options, deadline }: ConvertTask,
  send: Send,
): void {
  if (isPicture) writeFileSync(`${output}.pdf`, pdf)
  let done = 0
  const listener = listenToRecognition(() => done)
  let engine: { found: ReturnType<typeof findOcrEngine> } | undefined
  const ocrEngine = () => {
    engine ??= {
      found: options.ocr === 'never' ? undefined : listener.listen(findOcrEngine(options.languages)),
    }
    return engine.found
  }
  const { pages, unread, pageCount } = readTextLayer(pdfium, pdf, {
    ocrEngine,
    seconds: shareOfLayer * deadline,
    onPage(page, of) {
      done = page
      send({ progress: page / of })
    },
  })
  writeFileSync(output, JSON.stringify({ pages }))
  const isAsked = options.ocr !== 'never'
  const facts = listener.recognition()
  const withoutText = isAsked ? unread.filter((page) => !facts.failed.includes(page)) : []
  send({ facts: { ...facts, pages: pageCount, unread: withoutText } })
}

export function convertFile(pdfium: Pdfium, task: ConvertTask, send: Send): void {
  const { input, output, format, options } = task
  const file = readFileSync(input)
  const pdf = pictureAsPdf(file)
  if (format === 'layer') {
    writeLayer(pdfium, pdf, pdf !== file, task, send)
    return
  }
  writeFileSync(
    output,
    convertWith(pdfium, pdf, format, {
      ...options,
      source: pdf === file ? 'PDF' : 'picture',
      onProgress: (progress) => send({ progress }),
      onFacts: (facts) => send({ facts }),
    }),
  )
}

export async function runTask(task: ConvertTask, send: Send): Promise<void> {
  try {
    convertFile(await loadPdfium(), task, send)
    send({ done: true })
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error
    send({ failure: error.word, sentence: error.message })
  }
}
