import { lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

// `build`, the symbolic link to the current version of an artifact.

/** The name of the current version; undefined when there is none. */
export function currentVersion(folder) {
  try {
    return basename(readlinkSync(join(folder, 'build')))
  } catch {
    // There is no link, or an older Kiln left a directory there.
    return undefined
  }
}

/** A reader sees either the version before or this one. */
export function switchTo(folder, version) {
  const [link, next] = [join(folder, 'build'), join(folder, `build-${process.pid}`)]
  rmSync(next, { force: true })
  symlinkSync(join('builds', version), next)
  moveDirectoryAway(folder, link)
  renameSync(next, link)
}

export function unlinkCurrent(folder) {
  const link = join(folder, 'build')
  moveDirectoryAway(folder, link)
  rmSync(link, { force: true })
}

/** An older Kiln built into a plain directory, which a running service may have mounted: it is moved, not removed. */
function moveDirectoryAway(folder, link) {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) return
  mkdirSync(join(folder, 'builds'), { recursive: true })
  renameSync(link, join(folder, 'builds', `unversioned-${process.pid}`))
}
