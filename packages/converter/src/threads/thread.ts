import { parentPort } from 'node:worker_threads'
import { ConversionFailed } from '../failure.ts'
import type { Answer, Call } from './thread-pool.ts'

// The inside of a thread: one call at a time, answered with a value, a failure of the file, or an error of ours.

parentPort?.on('message', async (call: Call) => {
  parentPort?.postMessage(await answer(call))
})

async function answer({ module, name, args }: Call): Promise<Answer> {
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
