import { lstatSync, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

// How much a boxed program has written. The folder belongs to the program, so nothing in it is
// trusted: links are not followed, files may vanish while we look, and a tree with too many entries
// counts as over the limit without being walked to its end.
//
// Most folders hold a handful of files and are looked at twenty times a second, so each look is taken at
// once; a large tree is walked in short turns, so that nobody else waits for it.

export const mostEntries = 20_000
const entriesPerTurn = 200
/** An empty file takes an inode and a directory entry; charge something for it. */
const entryBytes = 512

export async function isOver(folders: readonly string[], limitBytes: number): Promise<boolean> {
  let bytes = 0
  let entries = 0
  const pending = [...folders]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const names = namesIn(folder)
    if (names === 'closed') return true
    for (const name of names) {
      entries += 1
      if (entries % entriesPerTurn === 0) await setImmediate()
      const path = join(folder, name)
      const status = lstatSync(path, { throwIfNoEntry: false })
      if (!status) continue
      bytes += entryBytes + status.blocks * 512
      if (bytes > limitBytes || entries > mostEntries) return true
      if (status.isDirectory()) pending.push(path)
    }
  }
  return false
}

/** At most one more than may be there at all. A folder that the program closed to us could hold anything. */
function namesIn(folder: string): string[] | 'closed' {
  const names: string[] = []
  try {
    const directory = opendirSync(folder)
    try {
      for (
        let entry = directory.readSync();
        entry && names.length <= mostEntries;
        entry = directory.readSync()
      ) {
        names.push(entry.name)
      }
    } finally {
      directory.closeSync()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? names : 'closed'
  }
  return names
}
