import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

// A file that was removed while it is open takes space that no folder shows. The processes of the box still
// hold it open, and /proc shows what they hold. A few are looked at in one go; where there are many, others get their turn.

const filesPerTurn = 200

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
  let files = 0
  const look = <T>(at: () => T): T | undefined => {
    try {
      return at()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Closed or ended meanwhile.
      if (code !== 'ENOENT' && code !== 'ESRCH') unreadable = true
      return undefined
    }
  }
  for (const process of processes) {
    const folder = `/proc/${process}/fd`
    for (const name of look(() => readdirSync(folder)) ?? []) {
      files += 1
      if (files % filesPerTurn === 0) await setImmediate()
      const path = `${folder}/${name}`
      // As bytes: what a file was called need not be UTF-8.
      const target = look(() => readlinkSync(path, { encoding: 'buffer' }))
      if (!target?.toString('latin1').endsWith(' (deleted)')) continue
      const status = look(() => statSync(path))
      if (status?.isFile() && devices.has(status.dev))
        bytesOfFile.set(`${status.dev}:${status.ino}`, status.blocks * 512)
    }
  }
  return { bytes: [...bytesOfFile.values()].reduce((sum, bytes) => sum + bytes, 0), unreadable }
}
