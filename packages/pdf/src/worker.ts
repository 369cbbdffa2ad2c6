import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type ConvertOptions, convertPdf, type OutputFormat } from './convert.ts'
import { debugPage } from './debug/page.ts'
import type { Facts } from './facts.ts'
import { ConversionFailure } from './failure.ts'
import { warmUp } from './warm-up.ts'

// The work itself, in a thread of its own: the main thread can end it when a page would take for ever. Without a task
// from the start it warms up, says so, and takes the one that comes.

export type Task =
  | { kind: 'convert'; input: string; output: string; format: OutputFormat; options: ConvertOptions }
  | { kind: 'debug'; input: string; output: string; page: number }

export type Message =
  | { ready: true }
  | { progress: number }
  | { facts: Facts }
  | { failure: string; sentence: string }
  | { done: true }

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
        onFacts: (facts) => send({ facts }),
      }),
    )
}

async function taskToCome(): Promise<Task> {
  if (!port) throw new Error('There is nobody to bring a task.')
  const come = () => receiveMessageOnPort(port)?.message as Task | undefined
  for (const step of warmUp()) {
    // A task that is there already is not kept waiting.
    const early = come()
    if (early) return early
    await step()
  }
  return new Promise((resolve) => {
    port.once('message', resolve)
    send({ ready: true })
  })
}

try {
  await run((workerData as Task | undefined) ?? (await taskToCome()))
  send({ done: true })
} catch (error) {
  if (!(error instanceof ConversionFailure)) throw error
  send({ failure: error.word, sentence: error.message })
}
