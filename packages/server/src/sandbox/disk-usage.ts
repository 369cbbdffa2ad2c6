import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

// How much a boxed program has written. The folder belongs to the program, so nothing in it is
// trusted: links are not followed, files may vanish while we look, and a tree with too many entries
// counts as over the limit without being walked to its end.

export const mostEntries = 20_000
/** An empty file takes an inode and a directory entry; charge something for it. */
const entryBytes = 512

export async function isOver(folders: readonly string[], limitBytes: number): Promise<boolean> {
  let bytes = 0
  let entries = 0
  const pending = [...folders]
  try {
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for await (const name of namesIn(folder)) {
        const path = join(folder, name)
        const status = await lstat(path).catch(() => undefined)
        if (!status) continue
        entries += 1
        bytes += entryBytes + status.blocks * 512
        if (bytes > limitBytes || entries > mostEntries) return true
        if (status.isDirectory()) pending.push(path)
      }
    }
    return false
  } catch (error) {
    // A folder that the program closed to us could hold anything.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) yield entry.name
}
