import { isUnavailable } from '../errors.ts'

// A storage or a database that is away, or a disk that is full, says nothing about the job (state-machine.md).
// The work goes back and waits a moment, and the worker that could not run it takes nothing for a little
// longer, so that another may.

export const handedBackForSeconds = 2
export const pauseMilliseconds = 3000

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])

export function isOutage(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return isUnavailable(error) || (code !== undefined && fullDisk.has(code))
}
