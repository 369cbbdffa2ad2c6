import type { ErrorCode, FailureWord } from '@kiln/contract'

// The one error class. A request that is refused carries a code of the interface's table;
// a job that failed carries a failure word. `message` is for the caller and holds no host path,
// no key and no engine output; `cause` is for the log.
export class KilnError extends Error {
  override readonly name = 'KilnError'
  readonly code: ErrorCode | FailureWord
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode | FailureWord,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.headers = options.headers ?? {}
  }
}

/** The conversion cannot succeed, and the reason lies in the input or in a limit: never tried again. */
export class ConversionFailed extends KilnError {
  readonly word: FailureWord

  constructor(word: FailureWord, sentence: string, cause?: unknown) {
    super(word, sentence, { cause })
    this.word = word
  }
}

export const refused = (code: ErrorCode, message: string, headers?: Record<string, string>): KilnError =>
  new KilnError(code, message, headers ? { headers } : {})

export const unavailable = (message: string, cause?: unknown, retryAfterSeconds = 2): KilnError =>
  new KilnError('unavailable', message, { cause, headers: { 'retry-after': String(retryAfterSeconds) } })

export const failed = {
  passwordProtected: (sentence: string, cause?: unknown) =>
    new ConversionFailed('password-protected', sentence, cause),
  corruptInput: (sentence: string, cause?: unknown) => new ConversionFailed('corrupt-input', sentence, cause),
  wrongFormat: (sentence: string, cause?: unknown) => new ConversionFailed('wrong-format', sentence, cause),
  timeout: (sentence: string, cause?: unknown) => new ConversionFailed('timeout', sentence, cause),
  tooComplex: (sentence: string, cause?: unknown) => new ConversionFailed('too-complex', sentence, cause),
  unsupported: (sentence: string, cause?: unknown) => new ConversionFailed('unsupported', sentence, cause),
  internal: (sentence: string, cause?: unknown) => new ConversionFailed('internal', sentence, cause),
}
