import { isDatabaseAway } from '../db/connect.ts'
import { KilnError } from '../errors.ts'

// Whose fault is it when a run breaks down? A storage or a database that is away, or a disk that is full,
// says nothing about the job. Such a run costs the job no attempt: it goes back and waits a moment, and
// the worker that could not run it takes nothing for a little longer, so that another may.

export const handedBackForSeconds = 2
export const pauseMilliseconds = 3000

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])

export function isFaultOfSurroundings(error: unknown): boolean {
  if (error instanceof KilnError) return error.code === 'unavailable'
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code !== undefined && fullDisk.has(code)) return true
  // A missing file or a broken pipe of an engine has the same codes as a database that is away.
  const speaksOfDatabase = code === undefined || /^\d/.test(code) || syscall === 'connect'
  return speaksOfDatabase && isDatabaseAway(error)
}
