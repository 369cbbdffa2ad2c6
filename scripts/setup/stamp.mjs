import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A step that is done leaves the hash of all that it depended on in `.setup/<step>`. The same hash next time
// means that there is nothing to do.

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const setupFolder = join(repository, '.setup')

export const isDone = (step, hash) => {
  try {
    return readFileSync(join(setupFolder, step), 'utf8') === hash
  } catch {
    // The step has not run yet.
    return false
  }
}

export const markDone = (step, hash) => {
  mkdirSync(setupFolder, { recursive: true })
  const unfinished = join(setupFolder, `${step}.${process.pid}`)
  writeFileSync(unfinished, hash)
  renameSync(unfinished, join(setupFolder, step))
}

export const forget = (step) => rmSync(join(setupFolder, step), { force: true })

/** Hash of texts and of files; a folder means every file in it. */
export function hashOf({ files = [], texts = [] }) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  for (const file of files.flatMap(filesUnder)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(repository, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  let entries
  try {
    entries = readdirSync(join(repository, path), { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter((entry) => !/^builds?(-\d+)?$/.test(entry.name))
    .map((entry) => `${path}/${entry.name}`)
    .sort()
    .flatMap(filesUnder)
}
