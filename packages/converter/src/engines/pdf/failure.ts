import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'
import { reportedFailure } from '../reported-failure.ts'

const sentences: EngineSentences = {
  tooLong: 'The PDF took longer to convert than one conversion may take. Split it.',
  tooLarge: 'The converted document is larger than the service allows. Split the PDF.',
  // Node aborts when it is short of memory.
  outOfMemory: 'The PDF needs more memory than one conversion may use. Split it.',
}

export function failureOf(result: SandboxResult, signal: AbortSignal): Error | undefined {
  const judged = judgeEnding(result, { engine: 'pdf', sentences, signal })
  if (judged) return judged
  if (result.exitCode === 0) return undefined
  const cause = causeOf(result, 'pdf')
  return reportedFailure(result.untrustedStderr, 'The PDF could not be converted.', cause) ?? cause
}
