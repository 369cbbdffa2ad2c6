import { type ConversionFailed, failed } from '../failure.ts'

// Programs of ours say in one line of JSON on stderr what is wrong with the file: a word of the list and a sentence.
// The sentence is ours too, but passed through the box: it is bounded.

const words = {
  'password-protected': failed.passwordProtected,
  'corrupt-input': failed.corruptInput,
  'wrong-format': failed.wrongFormat,
  unsupported: failed.unsupported,
  'too-complex': failed.tooComplex,
} as const

export function reportedFailure(
  untrustedStderr: string,
  otherwise: string,
  cause: unknown,
): ConversionFailed | undefined {
  const line = untrustedStderr.split('\n').find((text) => text.startsWith('{"failure":'))
  try {
    const { failure, sentence } = JSON.parse(line ?? '') as { failure?: unknown; sentence?: unknown }
    if (typeof failure !== 'string' || !Object.hasOwn(words, failure)) return undefined
    const make = words[failure as keyof typeof words]
    const isSentence = typeof sentence === 'string' && /^[A-Z][^/\\<>{}]{0,300}\.$/.test(sentence)
    return make(isSentence ? sentence : otherwise, cause)
  } catch {
    return undefined
  }
}
