/** Errors of files have a path, or say that the disk is full. */
export function isLocalDisk(error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || path !== undefined
}
