import { type ConversionFailed, failed } from '../../failure.ts'
import type { BoxResult } from '../../sandbox/sandbox.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'

const sentences: EngineSentences = {
  tooLong: 'The PDF took longer to convert than one conversion may take. Split it.',
  tooLarge: 'The converted document is larger than the service allows. Split the PDF.',
  // Node aborts when it is short of memory.
  outOfMemory: 'The PDF needs more memory than one conversion may use. Split it.',
}

const words = {
  'password-protected': failed.passwordProtected,
  'corrupt-input': failed.corruptInput,
  unsupported: failed.unsupported,
  'too-complex': failed.tooComplex,
} as const

export function failureOf(result: BoxResult, signal: AbortSignal): Error | undefined {
  const judged = judgeEnding(result, { engine: 'pdf', sentences, signal })
  if (judged) return judged
  if (result.exitCode === 0) return undefined
  const cause = causeOf(result, 'pdf')
  return toldFailure(result.untrustedStderr, cause) ?? cause
}

/** The program's own word for it. Its sentence is ours too, but passed through the box: it is bounded. */
function toldFailure(untrustedStderr: string, cause: unknown): ConversionFailed | undefined {
  const line = untrustedStderr.split('\n').find((text) => text.startsWith('{"failure":'))
  try {
    const { failure, sentence } = JSON.parse(line ?? '') as { failure?: unknown; sentence?: unknown }
    const make = words[failure as keyof typeof words]
    const isSentence = typeof sentence === 'string' && /^[A-Z][^/\\<>{}]{0,300}\.$/.test(sentence)
    return make?.(isSentence ? sentence : 'The PDF could not be converted.', cause)
  } catch {
    return undefined
  }
}
