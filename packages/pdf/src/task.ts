import { readFileSync, writeFileSync } from 'node:fs'
import { type ConvertOptions, convertWith, type OutputFormat } from './convert.ts'
import { debugPage } from './debug/page.ts'
import type { Facts } from './facts.ts'
import { ConversionFailure } from './failure.ts'
import { pictureAsPdf } from './read/image-input.ts'
import { loadPdfium, type Pdfium } from './read/pdfium.ts'

export interface ConvertTask {
  kind: 'convert'
  input: string
  output: string
  format: OutputFormat
  options: ConvertOptions
}

export type Task = ConvertTask | { kind: 'debug'; input: string; output: string; page: number }

export type Message =
  | { ready: true }
  | { progress: number }
  | { facts: Facts }
  | { failure: string; sentence: string }
  | { done: true }

export type Send = (message: Message) => void

export function convertFile(
  pdfium: Pdfium,
  { input, output, format, options }: ConvertTask,
  send: Send,
): void {
  const file = readFileSync(input)
  const pdf = pictureAsPdf(file)
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

export async function runTask(task: Task, send: Send): Promise<void> {
  try {
    const pdfium = await loadPdfium()
    if (task.kind === 'debug')
      writeFileSync(task.output, await debugPage(readFileSync(task.input), task.page))
    else convertFile(pdfium, task, send)
    send({ done: true })
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error
    send({ failure: error.word, sentence: error.message })
  }
}
