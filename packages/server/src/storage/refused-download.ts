import { type KilnError, refused } from '../errors.ts'

/** Why a download is refused, by its HTTP status. Null for an error that the request did not cause. */
export function refusedDownload(status: number, contentRange?: string): KilnError | null {
  if (status === 404) {
    return refused(
      'not-found',
      'The output is no longer there. It is deleted about an hour after the conversion.',
    )
  }
  if (status === 412) {
    return refused(
      'precondition-failed',
      'The output is not the one that If-Match or If-Unmodified-Since asks for.',
    )
  }
  if (status === 416) {
    const more = contentRange ? { 'content-range': contentRange } : {}
    return refused('range-not-satisfiable', 'The range is outside the file.', more)
  }
  return null
}

/** Errors of the file system have a path, or report a full disk. */
export function isLocalDisk(error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || path !== undefined
}
