import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The other processes that have a directory open: those of this user, or of all users when root asks. */
export const processesWithOpen = (directory) =>
  numbersIn('/proc').filter((pid) => pid !== String(process.pid) && hasOpen(pid, directory))

const hasOpen = (pid, directory) =>
  numbersIn(join('/proc', pid, 'fd')).some((descriptor) => {
    try {
      return readlinkSync(join('/proc', pid, 'fd', descriptor)) === directory
    } catch {
      // The process closed it, or ended, since the directory was listed.
      return false
    }
  })

function numbersIn(directory) {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/.test(name))
  } catch {
    // The process has ended or belongs to another user, or the system has no /proc.
    return []
  }
}
