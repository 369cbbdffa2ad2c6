import { isUnavailable } from '../errors.ts'

// An unavailable storage or database, or a full disk, is not the job's fault (state-machine.md). The job returns to the
// queue with a delay, and the worker that could not run it takes no work for slightly longer, so that another worker
// may take it. When the disk was full during a job and has free space once its files are removed, that job filled it.
// It is retried, because another job may have contributed, but only a limited number of times, and other jobs do not
// wait for it.

export const handedBackForSeconds = 2
export const pauseMilliseconds = 3000
export const maxHandBacks = 3

const noRoom = new Set(['ENOSPC', 'EDQUOT'])
const noFiles = new Set(['EROFS', 'EMFILE', 'ENFILE'])

const codeOf = (error: unknown) => ((error ?? {}) as NodeJS.ErrnoException).code ?? ''

export const isFullDisk = (error: unknown): boolean => noRoom.has(codeOf(error))

export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || isFullDisk(error) || noFiles.has(codeOf(error))
