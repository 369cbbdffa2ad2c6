import './resolve-sources.ts'
import { parentPort } from 'node:worker_threads'
import { ConversionFailed } from '../failure.ts'
import type { Answer, Call } from './worker-pool.ts'

// The code of a worker thread: one call at a time, answered with a value, a failure of the file, or an error of ours.

parentPort?.on('message', async (call: Call) => {
  const before = process.threadCpuUsage()
  const outcome = await run(call)
  const { user, system } = process.threadCpuUsage(before)
  const answer: Answer = { ...outcome, cpuSeconds: (user + system) / 1_000_000 }
  parentPort?.postMessage(answer, 'value' in outcome ? ownMemoryOf(outcome.value) : [])
})

/** Buffers that own their memory are transferred: copying many bytes would block the receiving thread. */
const ownMemoryOf = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.length === value.buffer.byteLength
    ? [value.buffer]
    : []

async function run({ module, name, args }: Call) {
  try {
    const functions = (await import(module)) as Record<string, (...args: unknown[]) => unknown>
    if (name === undefined) return { value: undefined }
    const called = functions[name]
    if (!called) throw new Error(`${module} exports no ${name}.`)
    return { value: await called(...args) }
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException
    if (error instanceof ConversionFailed)
      return { failed: { word: error.word, message, cause: String(error.cause) } }
    return { error: { message: String(message ?? error), stack, code } }
  }
}
