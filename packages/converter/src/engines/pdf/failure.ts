import type { SandboxResult } from '../../sandbox/sandbox.ts'
import type { EngineSentences } from '../judge-ending.ts'
import { failureOfOwnProgram } from '../reported-failure.ts'

const sentences: EngineSentences = {
  tooLong: 'The PDF took longer to convert than one conversion may take. Split it.',
  tooLarge: 'The converted document is larger than the service allows. Split the PDF.',
  // Node aborts when it is short of memory.
  outOfMemory: 'The PDF needs more memory than one conversion may use. Split it.',
}

export const failureOf = (result: SandboxResult, signal: AbortSignal): Error | undefined =>
  failureOfOwnProgram(result, { engine: 'pdf', sentences, signal }, 'The PDF could not be converted.')
