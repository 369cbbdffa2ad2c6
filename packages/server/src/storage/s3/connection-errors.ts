import { KilnError, unavailable } from '../../errors.ts'
import { isLocalDisk } from '../refused-download.ts'

// An error of S3, except for a missing object, is the fault of the storage or of the network, never of the job: the
// caller gets 503 and tries again, and a worker returns its job to the queue.

/** Runs a call to S3; an error is a missing object, an error of the local disk, or `unavailable`. */
export async function mapStorageErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (isMissing(error) || isLocalDisk(error) || error instanceof KilnError) throw error
    throw unavailable('The service cannot reach its storage just now. Try again shortly.', error)
  }
}

export function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404
}
