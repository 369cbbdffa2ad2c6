import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BusboyInstance, Busboy as createBusboy } from '@fastify/busboy'
import { KilnError, refused } from '../errors.ts'

// A multipart form, streamed to files in a folder. The file name comes from the caller and is never used as a path.

export interface FormFile {
  /** Name of the form field. */
  field: string
  name: string
  path: string
  bytes: number
}

export interface Form {
  fields: ReadonlyMap<string, readonly string[]>
  files: readonly FormFile[]
}

const limits = { fieldSize: 1024 * 1024, fieldNameSize: 200, fields: 1000, files: 500, parts: 1500 }

/** A body that is not a multipart form. */
export class NoForm extends Error {
  override readonly name = 'NoForm'
}

export async function readForm(request: IncomingMessage, folder: string, maxBytes: number): Promise<Form> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw new NoForm('The body must be multipart/form-data.')
  let busboy: BusboyInstance
  try {
    busboy = createBusboy({
      headers: { ...request.headers, 'content-type': type },
      limits,
      isPartAFile: isFile,
    })
  } catch {
    // The parser throws when it finds no boundary.
    throw new NoForm('The Content-Type header names no multipart boundary.')
  }
  const fields = new Map<string, string[]>()
  const files: FormFile[] = []
  const writing: Promise<void>[] = []
  let received = 0
  const counted = new AbortController()
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) counted.abort(tooLarge(maxBytes))
  })
  busboy.on('field', (name, value, _, isCut) => {
    if (isCut) counted.abort(refused('bad-request', `The form field '${shown(name)}' is too long.`))
    else fields.set(name, [...(fields.get(name) ?? []), value])
  })
  busboy.on('file', (field, stream, name) => {
    const path = join(folder, `upload-${files.length}`)
    const file = { field, name: fileNameOf(name), path, bytes: 0 }
    files.push(file)
    writing.push(
      pipeline(stream, createWriteStream(path, { flags: 'wx' })).then(async () => {
        file.bytes = (await stat(path)).size
      }),
    )
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    busboy.on(event, () => counted.abort(refused('bad-request', 'The form has too many parts.')))
  try {
    await pipeline(request, busboy, { signal: counted.signal })
    await Promise.all(writing)
  } catch (error) {
    await Promise.allSettled(writing)
    if (counted.signal.aborted) throw counted.signal.reason
    if (error instanceof KilnError) throw error
    throw refused('bad-request', 'The multipart form is malformed or incomplete.')
  }
  return { fields, files }
}

const isFile = (
  _field: string | undefined,
  _type: string | undefined,
  fileName: string | undefined,
): boolean => fileName !== undefined

export const tooLarge = (maxBytes: number) =>
  refused('too-large', `The request has more than ${maxBytes} bytes. Send smaller files, or fewer at once.`)

/** The last segment of a path of any operating system, without control characters. */
export function fileNameOf(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  return name
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
    .slice(0, 1000)
}

export const extensionOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? ''

const shown = (text: string): string => text.replaceAll(/[^\w.-]/g, '?').slice(0, 60)
