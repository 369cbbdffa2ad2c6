import { type KilnError, unavailable } from '../errors.ts'

// A database that is away is told apart from a fault in a query here, where the error comes from the driver.
// Further out the same codes mean something else: a client that broke its upload off, a file that is missing.

/** Runs a call to the driver; when the database is away, what it throws is `unavailable`. */
export async function orDatabaseAway<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isAway(error) ? databaseAway(error) : error
  }
}

export const databaseAway = (cause: unknown): KilnError =>
  unavailable('The service cannot reach its database just now. Try again shortly.', cause)

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    // 08: connection exceptions; 53: out of resources; 57P: shutting down, starting up; 25006: a standby.
    if (awayCodes.has(code) || /^(08|53|57P)/.test(code) || code === '25006') return true
  }
  return awayMessages.test(error.message)
}
