import type { Clock } from './clock.ts'
import { FileError, KilnError } from './errors.ts'

// Normalizes an input: a known number of bytes that can be read in chunks, again from the start if the upload has to be
// repeated. The interface requires the exact length before the first byte, so a stream of unknown length is buffered in
// a temporary file, never in memory.

export type KilnInput =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

export interface Source {
  /** File name, for its extension and for messages. */
  readonly name: string | null
  readonly bytes: number
  /** False for a stream that can be read only once. */
  readonly replayable: boolean
  open(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

const pieceBytes = 256 * 1024

export async function openSource(
  input: KilnInput,
  knownBytes: number | undefined,
  clock: Clock,
): Promise<Source> {
  if (typeof input === 'string') return openPath(input, clock)
  if (input instanceof URL) {
    if (input.protocol !== 'file:') {
      throw new KilnError(
        'invalid-options',
        `The input ${input.protocol}… is not a file. Pass a path, bytes, a stream or a Blob.`,
      )
    }
    const { fileURLToPath } = await import('node:url')
    return openPath(fileURLToPath(input), clock)
  }
  if (input instanceof Blob) return blobSource(input)
  if (input instanceof ArrayBuffer) return bytesSource(new Uint8Array(input))
  if (ArrayBuffer.isView(input)) {
    return bytesSource(new Uint8Array(input.buffer, input.byteOffset, input.byteLength))
  }
  const stream = asIterable(input)
  return knownBytes === undefined ? spool(stream, null, clock) : onceSource(stream, knownBytes)
}

async function openPath(path: string, clock: Clock): Promise<Source> {
  const { createReadStream } = await import('node:fs')
  const { stat } = await import('node:fs/promises')
  const facts = await stat(path).catch((error) => {
    throw fileError('read', path, error)
  })
  if (facts.isDirectory()) throw new FileError('file', `Cannot read ${path}: it is a folder.`)
  const open = () => piecesOfFile(path, createReadStream(path, { highWaterMark: pieceBytes }))
  // A pipe or a device has no length; it is read once, to its end.
  if (!facts.isFile()) return spool(open(), path, clock)
  return { name: path, bytes: facts.size, replayable: true, open, close: async () => {} }
}

async function* piecesOfFile(path: string, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw fileError('read', path, error)
  }
}

const blobSource = (blob: Blob): Source => ({
  name: 'name' in blob && typeof blob.name === 'string' && blob.name !== '' ? blob.name : null,
  bytes: blob.size,
  replayable: true,
  open: () => piecesOfStream(blob.stream()),
  close: async () => {},
})

const bytesSource = (bytes: Uint8Array): Source => ({
  name: null,
  bytes: bytes.byteLength,
  replayable: true,
  async *open() {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  },
  close: async () => {},
})

const onceSource = (stream: AsyncIterable<Uint8Array>, bytes: number): Source => ({
  name: null,
  bytes,
  replayable: false,
  open: () => stream,
  close: async () => {},
})

/** Writes a stream into a temporary file that only this user can read. */
async function spool(stream: AsyncIterable<Uint8Array>, name: string | null, clock: Clock): Promise<Source> {
  const { createReadStream } = await import('node:fs')
  const { mkdtemp, open, rm } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const folder = await mkdtemp(join(tmpdir(), 'kiln-input-'))
  const path = join(folder, 'input')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const file = await open(path, 'wx', 0o600)
    let bytes = 0
    try {
      for await (const piece of stoppable(stream, clock)) {
        await writeAll(file, piece)
        bytes += piece.byteLength
      }
    } finally {
      await file.close()
    }
    const read = () => piecesOfFile(path, createReadStream(path, { highWaterMark: pieceBytes }))
    return { name, bytes, replayable: true, open: read, close: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The pieces of a stream until the clock stops: a source that hangs must not outlast the call. */
async function* stoppable(stream: AsyncIterable<Uint8Array>, clock: Clock): AsyncIterable<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]()
  const stopped = new Promise<never>((_, reject) => {
    clock.signal.addEventListener('abort', () => reject(clock.signal.reason), { once: true })
  })
  // Raced with every read; in between a rejection must not count as unhandled.
  stopped.catch(() => {})
  let finished = false
  try {
    for (;;) {
      clock.check()
      const { done, value } = await Promise.race([iterator.next(), stopped])
      if (done) {
        finished = true
        return
      }
      yield value
    }
  } finally {
    // Not awaited: a source that hangs may not answer this either.
    if (!finished) iterator.return?.().catch(() => {})
  }
}

function asIterable(input: unknown): AsyncIterable<Uint8Array> {
  if (input instanceof ReadableStream) return piecesOfStream(input)
  if (typeof input === 'object' && input !== null && Symbol.asyncIterator in input) {
    return asBytes(input as AsyncIterable<Uint8Array | string>)
  }
  throw new KilnError('invalid-options', 'The input must be a path, a file URL, bytes, a Blob or a stream.')
}

async function* asBytes(pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

/** Not every runtime's ReadableStream can be iterated. */
async function* piecesOfStream(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  let finished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        finished = true
        return
      }
      yield value
    }
  } finally {
    // A source that already failed cannot be cancelled.
    if (!finished) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

export function fileError(what: 'read' | 'write', path: string, cause: unknown): FileError {
  if (cause instanceof FileError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  const reason = sentences[code ?? ''] ?? message
  return new FileError('file', `Cannot ${what} ${path}: ${reason}.`, { cause })
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the disk is read-only',
}

/** The members of a FileHandle that are used. */
interface Writable {
  write(piece: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>
}

/** A single write may stop short. */
export async function writeAll(file: Writable, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength; ) {
    at += (await file.write(piece, at, piece.byteLength - at)).bytesWritten
  }
}
