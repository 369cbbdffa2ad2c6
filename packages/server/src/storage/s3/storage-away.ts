import { KilnError, unavailable } from '../../errors.ts'

// Whatever S3 refuses, but for an object that is not there, lies with the storage or the way to it, never
// with the job: the caller is told to come again, and a worker hands its job back.

/** Runs a call to S3; what it throws is either about a missing object, the own disk, or `unavailable`. */
export async function orAway<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (isMissing(error) || isOwnDisk(error) || error instanceof KilnError) throw error
    throw unavailable('The service cannot reach its storage just now. Try again shortly.', error)
  }
}

export function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404
}

// The other end of a transfer: errors of files name a path, or say that the disk is full.
function isOwnDisk(error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || path !== undefined
}
