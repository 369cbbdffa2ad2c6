// A failed job's `error` starts with one of these words, followed by a colon and a sentence for users.
export const failureWords = [
  'password-protected',
  'corrupt-input',
  'wrong-format',
  'timeout',
  'too-complex',
  'unsupported',
  'cancelled',
  'internal',
] as const

export type FailureWord = (typeof failureWords)[number]

/** A failure as the interface shows it, in `error`. */
export const errorText = (word: FailureWord, sentence: string | null): string => `${word}: ${sentence}`
