import { lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { chmod, lstat, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

// Removes a folder that an engine could write to. A program that was taken over may leave a tree that ordinary
// removal does not get through: deeper than a path may be long, with names that are not UTF-8, with folders
// that are closed to their owner. No process uses the tree any more.

/** Gone is as good as removed. Rejects when something stays. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await removeFlattening(Buffer.from(path))
  }
}

const entriesPerTurn = 500

/**
 * Every folder that is found below the first level is moved up to it, under a new name, and emptied there. So no
 * path is ever longer than the tree's own and two names, however deep the tree was.
 */
async function removeFlattening(tree: Buffer): Promise<void> {
  let moved = 0
  let done = 0
  const emptyInto = async (folder: Buffer, onFolder: (path: Buffer) => void) => {
    await openToOwner(folder)
    for (const name of namesIn(folder)) {
      done += 1
      if (done % entriesPerTurn === 0) await setImmediate()
      const path = join(folder, name)
      if (lstatSync(path).isDirectory()) onFolder(path)
      else unlinkSync(path)
    }
  }
  const pending: Buffer[] = []
  if (!(await lstat(tree)).isDirectory()) return unlinkSync(tree)
  await emptyInto(tree, (path) => pending.push(path))
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    await emptyInto(folder, (path) => {
      let target: Buffer
      do {
        moved += 1
        target = join(tree, Buffer.from(`moved-${moved}`))
      } while (lstatSync(target, { throwIfNoEntry: false }))
      renameSync(path, target)
      pending.push(target)
    })
    rmdirSync(folder)
  }
  rmdirSync(tree)
}

const namesIn = (folder: Buffer): Buffer[] => readdirSync(folder, { encoding: 'buffer' })

const join = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name])

/** A folder that is closed to its owner cannot be emptied, nor moved, by anybody but root. */
async function openToOwner(folder: Buffer): Promise<void> {
  const status = await lstat(folder)
  const isOurs = status.uid === process.getuid?.()
  if (isOurs && (status.mode & 0o700) !== 0o700) await chmod(folder, 0o700)
}
