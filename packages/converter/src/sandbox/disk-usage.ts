import { lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

// How much a boxed program has written. The folder belongs to the program, so nothing in it is trusted: names
// are bytes, links are not followed, files may vanish while we look, and a tree that we cannot look through
// (too many entries, too deep, closed to us) counts as over the limit.
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
  const pending = folders.map((folder) => Buffer.from(folder))
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const names = namesIn(folder)
    if (names === 'unreadable') return true
    for (const name of names) {
      entries += 1
      if (entries % entriesPerTurn === 0) await setImmediate()
      const path = Buffer.concat([folder, slash, name])
      const status = statusOf(path)
      if (status === 'unreadable') return true
      if (!status) continue
      bytes += entryBytes + status.blocks * 512
      if (bytes > limitBytes || entries > mostEntries) return true
      if (status.isDirectory()) pending.push(path)
    }
  }
  return false
}

const slash = Buffer.from('/')

// An entry takes a dozen bytes at least, so a folder of this size has no more than a few thousand.
const smallFolderBytes = 64 * 1024

/** At most one more than may be there at all. */
function namesIn(folder: Buffer): Buffer[] | 'unreadable' {
  const names: Buffer[] = []
  try {
    // Much quicker than one by one, which bounds how many names are read.
    if (lstatSync(folder).size <= smallFolderBytes) return readdirSync(folder, { encoding: 'buffer' })
    // The declaration of opendirSync knows no names as bytes; Node does.
    const directory = opendirSync(folder, { encoding: 'buffer' as BufferEncoding })
    try {
      for (
        let entry = directory.readSync();
        entry && names.length <= mostEntries;
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

/** Removed, or a file in the place of a folder, since we saw its name. */
const hasVanished = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
