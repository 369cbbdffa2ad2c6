import { ConversionFailed } from '../failure.ts'

/** Runs a program in the sandbox. A failure that the file caused is one line of JSON on stderr. */
export async function reportFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ConversionFailed)) throw error
    process.stderr.write(`${JSON.stringify({ failure: error.word, sentence: error.message })}\n`)
    process.exitCode = 3
  }
}
