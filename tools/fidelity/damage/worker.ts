import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { convertPdf } from '@kiln/pdf'
import { damage } from './mutate.ts'

// Converts one damaged file after the other and says how each ended. A thread of its own: the parent ends it when a
// file takes too long, and starts another behind that file.

export interface Work {
  files: string[]
  from: number
  to: number
}

export interface Ending {
  index: number
  /** `done`, a failure's own word, or an unexpected error. */
  how: string
  /** Of CPU, in this thread alone. */
  seconds: number
}

const { files, from, to } = workerData as Work
const outputs = ['docx', 'md', 'html'] as const

for (let index = from; index < to; index++) {
  const file = files[index % files.length] as string
  const other = files[(index * 7 + 3) % files.length] as string
  const broken = damage(readFileSync(file), readFileSync(other), index)
  const before = process.threadCpuUsage()
  let how = 'done'
  try {
    await convertPdf(broken, outputs[index % 3] ?? 'md')
  } catch (error) {
    how = endingOf(error)
  }
  const { user, system } = process.threadCpuUsage(before)
  const ending: Ending = { index, how, seconds: (user + system) / 1e6 }
  parentPort?.postMessage(ending)
}

/** The program turns traps and exhausted stacks of PDFium into words of its own; see packages/pdf/src/main.ts. */
function endingOf(error: unknown): string {
  if (!(error instanceof Error)) return `crash: ${String(error)}`
  if ('word' in error) return String(error.word)
  if (error.name === 'RuntimeError' || /maximum call stack/i.test(error.message))
    return 'corrupt-input (trap)'
  if (/out of memory|aborted\(/i.test(error.message)) return 'too-complex (memory)'
  return `crash: ${error.stack ?? error.message}`
}
