import type { ErrorCode } from '@kiln/contract'

// A request that is refused, with an error code of the interface. `message` is for the caller and contains no host path
// and no key; `cause` is for the log. Failures of a conversion are the converter's ConversionFailed.
export class KilnError extends Error {
  override readonly name = 'KilnError'
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.headers = options.headers ?? {}
  }
}

export const refused = (code: ErrorCode, message: string, headers?: Record<string, string>): KilnError =>
  new KilnError(code, message, headers ? { headers } : {})

export const unavailable = (message: string, cause?: unknown, retryAfterSeconds = 2): KilnError =>
  new KilnError('unavailable', message, { cause, headers: { 'retry-after': String(retryAfterSeconds) } })

/** Is the cause the database, the storage or the disk, so that the same call may succeed later? */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof KilnError && error.code === 'unavailable'
