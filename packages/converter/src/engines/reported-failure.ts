import { type ConversionFailed, failed } from '../failure.ts'
import type { SandboxResult } from '../sandbox/sandbox.ts'
import { causeOf, type Ended, judgeEnding } from './judge-ending.ts'

// Kiln's own programs report in one line of JSON on stderr what is wrong with the file: a failure word and a sentence.
// Both come out of the sandbox, so they are untrusted: the word must be known, and the sentence is bounded.

const words = {
  'password-protected': failed.passwordProtected,
  'corrupt-input': failed.corruptInput,
  'wrong-format': failed.wrongFormat,
  unsupported: failed.unsupported,
  'too-complex': failed.tooComplex,
} as const

export function reportedFailure(
  untrustedStderr: string,
  fallback: string,
  cause: unknown,
): ConversionFailed | undefined {
  const line = untrustedStderr.split('\n').find((text) => text.startsWith('{"failure":'))
  try {
    const { failure, sentence } = JSON.parse(line ?? '') as { failure?: unknown; sentence?: unknown }
    if (typeof failure !== 'string' || !Object.hasOwn(words, failure)) return undefined
    const make = words[failure as keyof typeof words]
    const isSentence =
      typeof sentence === 'string' && /^[A-Z](?:[^/\\<>{}]|(?<=PDF)\/(?=U?A)){0,500}\.$/.test(sentence)
    return make(isSentence ? sentence : fallback, cause)
  } catch {
    // No such line, or not JSON: the program reported nothing.
    return undefined
  }
}

/** How a run of one of these programs failed; undefined when it succeeded. Its report comes after the limits. */
export function failureOfOwnProgram(
  result: SandboxResult,
  ended: Ended,
  fallback: string,
): ConversionFailed | Error | undefined {
  const judged = judgeEnding(result, ended)
  if (judged || result.exitCode === 0) return judged
  const cause = causeOf(result, ended.engine)
  return reportedFailure(result.untrustedStderr, fallback, cause) ?? cause
}
