import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
  const parts = [...texts, ...files.flatMap(filesUnder).flatMap((file) => [file, contentHash(file)])]
  return hashText(parts.map((part) => `${part}\0`).join(''))
}

const hashText = (content) => createHash('sha256').update(content).digest('hex')

// Reading a thousand files takes longer than the rest of a set-up that has nothing to do. So the hash of a file is kept
// with its size and times, and computed again when these differ.
const hashesStep = 'file-hashes'
const hashes = new Map(readHashes())
let isChanged = false

function contentHash(file) {
  const path = `${repository}/${file}`
  const { size, mtimeMs, ctimeMs, ino } = statSync(path)
  const facts = `${size} ${mtimeMs} ${ctimeMs} ${ino}`
  const known = hashes.get(file)
  if (known?.facts === facts) return known.hash
  const hash = hashText(readFileSync(path))
  // Within the resolution of its time, a file may change once more without another time.
  if (Date.now() - ctimeMs > 2000) {
    isChanged = true
    hashes.set(file, { facts, hash })
  }
  return hash
}

function readHashes() {
  try {
    return JSON.parse(readFileSync(join(setupFolder, hashesStep), 'utf8'))
  } catch {
    // None were kept yet.
    return []
  }
}

export function keepHashes() {
  if (isChanged) markDone(hashesStep, JSON.stringify([...hashes]))
}

function filesUnder(path) {
  let entries
  try {
    entries = readdirSync(`${repository}/${path}`, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter((entry) => !/^builds?(-\d+)?$/.test(entry.name))
    .map((entry) => ({ file: `${path}/${entry.name}`, isFolder: entry.isDirectory() }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .flatMap(({ file, isFolder }) => (isFolder ? filesUnder(file) : file))
}
