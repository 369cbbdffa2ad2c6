// Every error code of the service, and its HTTP status. Clients branch on the code; the status depends only on the
// code.
export const statusOfCode = {
  'bad-request': 400,
  'unknown-pair': 400,
  'client-pair': 400,
  'size-mismatch': 400,
  unauthenticated: 401,
  'require-credits': 402,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'length-required': 411,
  'precondition-failed': 412,
  'too-large': 413,
  'range-not-satisfiable': 416,
  'expectation-failed': 417,
  'idempotency-mismatch': 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof statusOfCode

export const errorCodes = Object.keys(statusOfCode) as readonly ErrorCode[]

export interface ErrorBody {
  error: string
  code: ErrorCode
}

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
