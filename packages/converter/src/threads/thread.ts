import { parentPort } from 'node:worker_threads'
import { ConversionFailed } from '../failure.ts'
import type { Answer, Call } from './thread-pool.ts'

// The inside of a thread: one call at a time, answered with a value, a failure of the file, or an error of ours.

parentPort?.on('message', async ({ module, name, args }: Call) => {
  parentPort?.postMessage(await answer(module, name, args))
})

async function answer(module: string, name: string, args: readonly unknown[]): Promise<Answer> {
  try {
    const { [name]: called } = (await import(module)) as Record<string, (...args: unknown[]) => unknown>
    if (!called) throw new Error(`${module} exports no ${name}.`)
    return { value: await called(...args) }
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException
    if (error instanceof ConversionFailed)
      return { failed: { word: error.word, message, cause: String(error.cause) } }
    return { error: { message: String(message ?? error), stack, code } }
  }
}
