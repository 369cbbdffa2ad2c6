import { readdir, readlink, stat } from 'node:fs/promises'

// A file that was removed while it is open takes space that no folder shows. The processes of the box still
// hold it open, and /proc shows what they hold.

export interface UnnamedFiles {
  bytes: number
  /** A process that lives did not let us look. */
  unreadable: boolean
}

/** What processes hold in removed files on the given devices. */
export async function unnamedFiles(
  processes: readonly number[],
  devices: ReadonlySet<number>,
): Promise<UnnamedFiles> {
  const bytesOfFile = new Map<string, number>()
  let unreadable = false
  const look = async <T>(looking: Promise<T>): Promise<T | undefined> => {
    try {
      return await looking
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Closed or ended meanwhile.
      if (code !== 'ENOENT' && code !== 'ESRCH') unreadable = true
      return undefined
    }
  }
  for (const process of processes) {
    const folder = `/proc/${process}/fd`
    for (const name of (await look(readdir(folder))) ?? []) {
      const path = `${folder}/${name}`
      // As bytes: what a file was called need not be UTF-8.
      const target = await look(readlink(path, { encoding: 'buffer' }))
      if (!target?.toString('latin1').endsWith(' (deleted)')) continue
      const status = await look(stat(path))
      if (status?.isFile() && devices.has(status.dev))
        bytesOfFile.set(`${status.dev}:${status.ino}`, status.blocks * 512)
    }
  }
  return { bytes: [...bytesOfFile.values()].reduce((sum, bytes) => sum + bytes, 0), unreadable }
}
