import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { ZipFile } from 'yazl'
import { attachment } from '../http/file-routes.ts'
import type { Converted } from './convert.ts'

// The response of a request: a single file unchanged, several files as a ZIP archive.

export interface OutputFile {
  name: string
  bytes: number
  open(): Promise<Readable>
}

export type Output = { files: OutputFile[] } | { archive: OutputFile }

/** The file of a conversion with one output. */
export const outputOf = (converted: Converted, name: string): OutputFile => ({
  name,
  bytes: converted.bytes,
  open: () => converted.open(),
})

const endRecordBytes = 22
const localHeaderBytes = 30
const readBytes = async (converted: Converted, first: number, last: number) =>
  buffer(await converted.open({ first, last }))

/**
 * The results of a file set: a ZIP archive of stored entries (converter/edit-pdf/process_files.py). The archive is
 * sent unchanged; a single file is read from it by its byte range.
 */
export async function resultsOf(converted: Converted): Promise<Output> {
  const end = await readBytes(converted, converted.bytes - endRecordBytes, converted.bytes - 1)
  if (end.readUInt16LE(10) !== 1) return { archive: outputOf(converted, '') }
  const header = await readBytes(converted, 0, localHeaderBytes - 1)
  const [bytes, nameBytes, extraBytes] = [
    header.readUInt32LE(22),
    header.readUInt16LE(26),
    header.readUInt16LE(28),
  ]
  const start = localHeaderBytes + nameBytes
  const name = (await readBytes(converted, localHeaderBytes, start - 1)).toString('utf8')
  const first = start + extraBytes
  return { files: [{ name, bytes, open: () => converted.open({ first, last: first + bytes - 1 }) }] }
}

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  json: 'application/json',
  zip: 'application/zip',
}

/** The output as one file, sent under this name and with these headers. Its length may not be known in advance. */
export interface WholeOutput {
  headers: Readonly<Record<string, string>>
  bytes: number | null
  open(): Promise<Readable>
}

export function wholeOutput(output: Output, baseName: string): WholeOutput {
  const single = 'archive' in output ? { ...output.archive, name: `${baseName}.zip` } : output.files[0]
  if (!single) throw new Error('There is no output to send.')
  if ('archive' in output || output.files.length === 1)
    return { headers: headersOf(single.name), bytes: single.bytes, open: single.open }
  const { files } = output
  return { headers: headersOf(`${baseName}.zip`), bytes: null, open: async () => zipped(files) }
}

export async function sendOutput(
  reply: FastifyReply,
  output: Output,
  baseName: string,
): Promise<FastifyReply> {
  const { headers, bytes, open } = wholeOutput(output, baseName)
  if (bytes !== null) reply.header('content-length', bytes)
  return reply
    .headers(headers)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(await open())
}

function zipped(files: readonly OutputFile[]): Readable {
  const archive = new ZipFile()
  for (const file of files)
    archive.addReadStreamLazy(file.name, { compress: false, size: file.bytes }, (done) => {
      file.open().then(
        (stream) => done(null, stream),
        (error: Error) => done(error, Readable.from([])),
      )
    })
  archive.end()
  return Readable.from(archive.outputStream)
}

const headersOf = (name: string) => ({
  'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  'content-disposition': attachment(name),
})

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
