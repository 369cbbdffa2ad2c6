/** Errors of the file system have a path, or report a full disk. */
export function isLocalDisk(error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || path !== undefined
}
