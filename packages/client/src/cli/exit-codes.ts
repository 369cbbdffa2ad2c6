import { KilnError, type KilnErrorCode } from '../errors.ts'
import { UsageError } from './arguments.ts'

// The exit codes, for scripts. The help text and the documentation show this table.

export const exitCodes = {
  ok: { code: 0, means: 'everything was converted' },
  other: { code: 1, means: 'an unexpected failure, or several files that failed for different reasons' },
  usage: { code: 2, means: 'the command line is wrong' },
  key: { code: 3, means: 'the API key is missing, wrong, or of another account' },
  refused: { code: 4, means: 'the service does not take this: unknown pair, too large, no such job' },
  credits: { code: 5, means: 'the free conversions are used up, and credits are needed' },
  failed: { code: 6, means: 'the conversion failed, or its output has expired' },
  unreachable: { code: 7, means: 'the service cannot be reached, is overloaded or limits the rate' },
  timeout: { code: 8, means: 'the time given with --timeout was over' },
  file: { code: 9, means: 'a local file cannot be read or written' },
  interrupted: { code: 130, means: 'interrupted' },
} as const

type Kind = keyof typeof exitCodes

const kindOfCode: Partial<Record<KilnErrorCode, Kind>> = {
  'bad-request': 'refused',
  'unknown-pair': 'refused',
  'client-pair': 'refused',
  'too-large': 'refused',
  'not-found': 'refused',
  'size-mismatch': 'refused',
  'idempotency-mismatch': 'refused',
  unauthenticated: 'key',
  forbidden: 'key',
  'require-credits': 'credits',
  'conversion-failed': 'failed',
  'output-expired': 'failed',
  connection: 'unreachable',
  internal: 'unreachable',
  'rate-limited': 'unreachable',
  'request-timeout': 'unreachable',
  unavailable: 'unreachable',
  'unexpected-answer': 'unreachable',
  timeout: 'timeout',
  file: 'file',
  aborted: 'interrupted',
  'invalid-options': 'usage',
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage.code
  if (!(error instanceof KilnError)) return exitCodes.other.code
  return exitCodes[kindOfCode[error.code] ?? 'other'].code
}

/** For many files: the code that all failures share, else that of an unexpected failure. */
export function exitCodeOfAll(errors: readonly unknown[]): number {
  const codes = new Set(errors.map(exitCodeOf))
  if (codes.size === 0) return exitCodes.ok.code
  if (codes.has(exitCodes.interrupted.code)) return exitCodes.interrupted.code
  return codes.size === 1 ? ([...codes][0] as number) : exitCodes.other.code
}
