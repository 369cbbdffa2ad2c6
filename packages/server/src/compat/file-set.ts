import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

// Several files as one input of a job: a ZIP archive of stored entries.

export type Entry = { name: string } & (
  | { path: string }
  | { data: Buffer }
  | { open: () => Promise<Readable> }
)

export async function packFiles(folder: string, name: string, entries: readonly Entry[]): Promise<string> {
  const archive = new ZipFile()
  for (const entry of entries) {
    if ('path' in entry) archive.addFile(entry.path, entry.name, { compress: false })
    else if ('data' in entry) archive.addBuffer(entry.data, entry.name, { compress: false })
    else archive.addReadStream(await entry.open(), entry.name, { compress: false })
  }
  archive.end()
  const path = join(folder, name)
  await pipeline(archive.outputStream, createWriteStream(path, { flags: 'wx' }))
  return path
}
