import { type KilnError, unavailable } from '../errors.ts'

// Distinguishes a lost connection to the database from an error in a query, for errors that come from the driver.
// Elsewhere the same codes have other meanings: a client that aborted its upload, a missing file.

/** Runs a call to the driver; a connection error is thrown as `unavailable`. */
export async function mapConnectionErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** The error, or `unavailable` when it is a connection error. */
export const asUnavailable = (error: unknown): unknown =>
  isConnectionError(error) ? databaseUnavailable(error) : error

export const databaseUnavailable = (cause: unknown): KilnError =>
  unavailable('The service cannot reach its database just now. Try again shortly.', cause)

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// pg and pg-pool give these errors no code. Kysely reports a transaction whose connection was lost as discarded.
const connectionMessages = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'not queryable',
    'connection has been discarded',
  ].join('|'),
)

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    // 08: connection exceptions; 53: out of resources; 57P: shutting down, starting up; 25006: a standby.
    if (connectionCodes.has(code) || /^(08|53|57P)/.test(code) || code === '25006') return true
  }
  return connectionMessages.test(error.message)
}
