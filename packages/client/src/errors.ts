import {
  type ConversionReport,
  type ErrorCode,
  errorCodes,
  type FailureWord,
  failureWords,
} from '@kiln/contract'

// Every error of this library is a KilnError. `code` is what to branch on: the service's own codes,
// and those below for what happens on the client's side. Each code that a caller is likely to
// branch on has a subclass, so that `instanceof` works as well.

/** Errors that are detected without a response of the service. */
export type LocalCode =
  | 'aborted'
  | 'connection'
  | 'conversion-failed'
  | 'file'
  | 'invalid-options'
  | 'invalid-webhook'
  | 'output-expired'
  | 'timeout'
  | 'unexpected-answer'

export type KilnErrorCode = ErrorCode | LocalCode

export interface ErrorFacts {
  /** HTTP status of the answer; null when there was none. */
  status?: number | null
  /** Id of the request in the log of the service. */
  requestId?: string | null
  /** Seconds to wait before a retry, if the service gave them. */
  retryAfter?: number | null
  /** The job in progress; `resume(jobId)` continues it. */
  jobId?: string | null
  cause?: unknown
}

export class KilnError extends Error {
  override name = 'KilnError'
  readonly code: KilnErrorCode
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfter: number | null
  /** The job in progress, if there was one; `resume(jobId)` continues it. */
  jobId: string | null

  constructor(code: KilnErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.retryAfter = facts.retryAfter ?? null
    this.jobId = facts.jobId ?? null
  }
}

/** A subclass with this name. Written out, because a bundler may shorten the names of classes. */
const named = (name: string) =>
  class extends KilnError {
    override name = name
  }

export class BadRequestError extends named('BadRequestError') {}
export class UnknownPairError extends named('UnknownPairError') {}
/** A pair for the browser, which the service does not convert; see @kiln/browser. */
export class ClientPairError extends named('ClientPairError') {}
export class SizeMismatchError extends named('SizeMismatchError') {}
export class UnauthenticatedError extends named('UnauthenticatedError') {}
export class RequireCreditsError extends named('RequireCreditsError') {}
export class ForbiddenError extends named('ForbiddenError') {}
export class NotFoundError extends named('NotFoundError') {}
export class TooLargeError extends named('TooLargeError') {}
export class IdempotencyMismatchError extends named('IdempotencyMismatchError') {}
export class RateLimitedError extends named('RateLimitedError') {}
/** 500 or 503: an error of the service. */
export class ServiceError extends named('ServiceError') {}
/** There was no response. */
export class ConnectionError extends named('ConnectionError') {}
/** The call's deadline passed. */
export class TimeoutError extends named('TimeoutError') {}
/** The caller's AbortSignal fired. Named as the platform names it. */
export class AbortedError extends named('AbortError') {}
/** The job ended as `failed`; its charge was refunded. */
export class ConversionFailedError extends KilnError {
  override name = 'ConversionFailedError'
  /** The stable first word of the job's error. */
  readonly reason: FailureWord | null
  /** The report until the failure, if one was requested. */
  readonly report: ConversionReport | null

  constructor(message: string, facts: ErrorFacts & { report?: ConversionReport | null } = {}) {
    super('conversion-failed', message, facts)
    const word = /^([a-z-]+): /.exec(message)?.[1]
    this.reason = failureWords.find((known) => known === word) ?? null
    this.report = facts.report ?? null
  }
}
/** The output was deleted: it is kept for about an hour. */
export class OutputExpiredError extends named('OutputExpiredError') {}
/** A local file could not be read or written. */
export class FileError extends named('FileError') {}

type ErrorClass = new (code: KilnErrorCode, message: string, facts?: ErrorFacts) => KilnError

const classOfCode: Partial<Record<KilnErrorCode, ErrorClass>> = {
  'bad-request': BadRequestError,
  'unknown-pair': UnknownPairError,
  'client-pair': ClientPairError,
  'size-mismatch': SizeMismatchError,
  unauthenticated: UnauthenticatedError,
  'require-credits': RequireCreditsError,
  forbidden: ForbiddenError,
  'not-found': NotFoundError,
  'too-large': TooLargeError,
  'idempotency-mismatch': IdempotencyMismatchError,
  'rate-limited': RateLimitedError,
  internal: ServiceError,
  unavailable: ServiceError,
  connection: ConnectionError,
  timeout: TimeoutError,
  aborted: AbortedError,
  'output-expired': OutputExpiredError,
  file: FileError,
}

export function kilnError(code: KilnErrorCode, message: string, facts: ErrorFacts = {}): KilnError {
  return new (classOfCode[code] ?? KilnError)(code, message, facts)
}

/** The code for a response without an error body of the service, such as that of a proxy or an object store. */
function codeOfStatus(status: number): KilnErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 408) return 'request-timeout'
  if (status === 413) return 'too-large'
  if (status === 429) return 'rate-limited'
  if (status === 500) return 'internal'
  if (status > 500) return 'unavailable'
  return status >= 400 ? 'bad-request' : 'unexpected-answer'
}

export interface RefusedAnswer {
  status: number
  header(name: string): string | null
  text: string
  /** The request, for messages: `POST http://…/v1/conversions`. */
  asked: string
}

/** The error for a response outside of 2xx. */
export function errorOfAnswer({ status, header, text, asked }: RefusedAnswer): KilnError {
  const body = parseErrorBody(text)
  const code = errorCodes.find((known) => known === body?.code) ?? codeOfStatus(status)
  const message = body?.error ?? `${asked} was answered with ${status} and no reason.`
  return kilnError(code, message, {
    status,
    requestId: header('request-id') ?? header('x-amz-request-id'),
    retryAfter: parseRetryAfter(header('retry-after'), Date.now()),
  })
}

function parseErrorBody(text: string): { error: string; code: unknown } | null {
  try {
    const body = JSON.parse(text) as { error?: unknown; code?: unknown } | null
    return typeof body?.error === 'string' ? { error: body.error, code: body.code } : null
  } catch {
    // Not JSON, such as the error page of a proxy.
    return null
  }
}

/** Seconds, from either form of the header: a count, or a date. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const date = Date.parse(text)
  // Some parsers read a number such as -5 as a date.
  if (Number.isNaN(date) || !/[a-z]/i.test(text)) return null
  return Math.max(0, (date - now) / 1000)
}
