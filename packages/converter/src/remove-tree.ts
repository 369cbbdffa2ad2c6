import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

// Removes a folder that an engine could write to. A program that was taken over may leave a tree that ordinary
// removal does not get through: deeper than a path may be long, with names that are not UTF-8, with folders
// that are closed to their owner. No other process uses the tree any more, but an ordinary removal that has failed still
// removes entries that it had started with: each step accepts that its entry is gone.

/** Gone is as good as removed. Rejects when something stays. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    // The tree may have been built to resist rm(): see above.
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
    ifThere(() => openToOwner(folder))
    for (const name of ifThere(() => namesIn(folder)) ?? []) {
      done += 1
      if (done % entriesPerTurn === 0) await setImmediate()
      const path = join(folder, name)
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) onFolder(path)
      else ifThere(() => unlinkSync(path))
    }
  }
  const pending: Buffer[] = []
  if (ifThere(() => lstatSync(tree).isDirectory()) === false) return unlinkSync(tree)
  await emptyInto(tree, (path) => pending.push(path))
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    await emptyInto(folder, (path) => {
      let target: Buffer
      do {
        moved += 1
        target = join(tree, Buffer.from(`moved-${moved}`))
      } while (lstatSync(target, { throwIfNoEntry: false }))
      ifThere(() => renameSync(path, target))
      pending.push(target)
    })
    const emptied = folder
    ifThere(() => rmdirSync(emptied))
  }
  ifThere(() => rmdirSync(tree))
}

/** Undefined when the entry does not exist any more. */
function ifThere<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const namesIn = (folder: Buffer): Buffer[] => readdirSync(folder, { encoding: 'buffer' })

const join = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name])

/** A folder that is closed to its owner cannot be emptied, nor moved, by anybody but root. */
function openToOwner(folder: Buffer): void {
  const status = lstatSync(folder)
  const isOurs = status.uid === process.getuid?.()
  if (isOurs && (status.mode & 0o700) !== 0o700) chmodSync(folder, 0o700)
}
