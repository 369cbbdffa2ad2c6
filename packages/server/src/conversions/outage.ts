import { isUnavailable } from '../errors.ts'

// A storage or a database that is away, or a disk that is full, says nothing about the job (state-machine.md).
// The work goes back and waits a moment, and the worker that could not run it takes nothing for a little
// longer, so that another may.
// A disk that was full while a job ran, and has room now that its files are gone, was filled by that job. It may be
// tried again, in case another job had its share in that, but not for ever, and other jobs do not wait for it.

export const handedBackForSeconds = 2
export const pauseMilliseconds = 3000
export const maxHandBacks = 3

const noRoom = new Set(['ENOSPC', 'EDQUOT'])
const noFiles = new Set(['EROFS', 'EMFILE', 'ENFILE'])

const codeOf = (error: unknown) => ((error ?? {}) as NodeJS.ErrnoException).code ?? ''

export const isFullDisk = (error: unknown): boolean => noRoom.has(codeOf(error))

export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || isFullDisk(error) || noFiles.has(codeOf(error))
