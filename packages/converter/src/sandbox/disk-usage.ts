import { lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

// How much a sandboxed program has written. The directory belongs to the program, so nothing in it is trusted: names are
// bytes, links are not followed, files may vanish during the walk, and a tree that cannot be walked (too many entries,
// too deep, no permission) counts as over the limit.
//
// Most directories have a handful of files and are checked twenty times a second, so the calls are synchronous; the walk
// of a large tree yields to the event loop at intervals.

export const maxEntries = 20_000
const entriesPerTick = 200
/** An empty file takes an inode and a directory entry; charge something for it. */
const entryBytes = 512

export async function isOver(folders: readonly string[], limitBytes: number): Promise<boolean> {
  let bytes = 0
  let entries = 0
  const pending = folders.map((folder) => Buffer.from(folder))
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const names = namesIn(folder)
    if (names === 'unreadable') return true
    for (const name of names) {
      entries += 1
      if (entries % entriesPerTick === 0) await setImmediate()
      const path = Buffer.concat([folder, slash, name])
      const status = statusOf(path)
      if (status === 'unreadable') return true
      if (!status) continue
      bytes += entryBytes + status.blocks * 512
      if (bytes > limitBytes || entries > maxEntries) return true
      if (status.isDirectory()) pending.push(path)
    }
  }
  return false
}

const slash = Buffer.from('/')

// An entry takes at least a dozen bytes, so a directory of this size has no more than a few thousand.
const smallFolderBytes = 64 * 1024

/** At most `maxEntries + 1` names. */
function namesIn(folder: Buffer): Buffer[] | 'unreadable' {
  const names: Buffer[] = []
  try {
    // Much faster than reading entry by entry, which limits how many names are read.
    if (lstatSync(folder).size <= smallFolderBytes) return readdirSync(folder, { encoding: 'buffer' })
    // The type declaration of opendirSync lacks the encoding `buffer`, which Node supports.
    const directory = opendirSync(folder, { encoding: 'buffer' as BufferEncoding })
    try {
      for (
        let entry = directory.readSync();
        entry && names.length <= maxEntries;
        entry = directory.readSync()
      ) {
        names.push(entry.name as unknown as Buffer)
      }
    } finally {
      directory.closeSync()
    }
  } catch (error) {
    return hasVanished(error) ? names : 'unreadable'
  }
  return names
}

function statusOf(path: Buffer): Stats | undefined | 'unreadable' {
  try {
    return lstatSync(path)
  } catch (error) {
    return hasVanished(error) ? undefined : 'unreadable'
  }
}

/** Removed, or replaced by a file, since its name was read. */
const hasVanished = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
