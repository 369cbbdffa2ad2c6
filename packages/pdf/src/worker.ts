import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type ConvertOptions, convertPdf, type OutputFormat } from './convert.ts'
import { debugPage } from './debug/page.ts'
import { ConversionFailure } from './failure.ts'

// The work itself, in a thread of its own: the main thread can end it when a page would take for ever.

export type Task =
  | { kind: 'convert'; input: string; output: string; format: OutputFormat; options: ConvertOptions }
  | { kind: 'debug'; input: string; output: string; page: number }

export type Message = { progress: number } | { failure: string; sentence: string } | { done: true }

const port = parentPort
const send = (message: Message): void => port?.postMessage(message)

async function run(task: Task): Promise<void> {
  const file = readFileSync(task.input)
  if (task.kind === 'debug') writeFileSync(task.output, await debugPage(file, task.page))
  else
    writeFileSync(
      task.output,
      await convertPdf(file, task.format, {
        ...task.options,
        onProgress: (progress) => send({ progress }),
      }),
    )
}

try {
  await run(workerData as Task)
  send({ done: true })
} catch (error) {
  if (!(error instanceof ConversionFailure)) throw error
  send({ failure: error.word, sentence: error.message })
}
