import { FileError } from './errors.ts'
import { fileError, writeAll } from './input.ts'

// An output appears under its name only when it is complete: it is written to a temporary file in the same directory,
// flushed, and renamed. If the call ends earlier, the temporary file is removed.

export interface SaveOptions {
  /** False: an existing file is not replaced, and the call fails. Default: true. */
  overwrite?: boolean | undefined
  /** False: a link under the output's name is never followed. Default: true. */
  followLinks?: boolean | undefined
}

export async function saveToPath(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  options: SaveOptions,
): Promise<void> {
  const { link, open, rename, unlink } = await import('node:fs/promises')
  const { overwrite = true } = options
  const target = await findTarget(path, options)
  const create = (name: string, flags: string) =>
    open(name, flags, 0o666).catch((error) => {
      throw fileError('write', path, error)
    })
  if (target.isSpecial) return writeInto(await create(path, 'w'), path, pieces)

  const { basename, dirname, join } = await import('node:path')
  const temporary = join(
    dirname(target.path),
    `.${basename(target.path).slice(0, 100)}.${crypto.randomUUID()}.part`,
  )
  const file = await create(temporary, 'wx')
  try {
    await writeInto(file, path, pieces)
    if (overwrite) await rename(temporary, target.path)
    else {
      // A link fails if the name was taken meanwhile, where a rename would replace it.
      await link(temporary, target.path)
      await unlink(temporary)
    }
  } catch (error) {
    // It may not exist yet; the error above is the one to report.
    await unlink(temporary).catch(() => {})
    throw isFileSystemError(error) ? fileError('write', path, error) : error
  }
}

type WritableFile = Awaited<ReturnType<typeof import('node:fs/promises').open>>

async function writeInto(file: WritableFile, path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of pieces) {
      await writeAll(file, piece).catch((error) => {
        throw fileError('write', path, error)
      })
    }
    // Pipes and terminals cannot be flushed, and need not be.
    await file.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw fileError('write', path, error)
    })
  } finally {
    await file.close()
  }
}

/** Resolves links; a device or a pipe is written directly. */
async function findTarget(
  path: string,
  { overwrite = true, followLinks = true }: SaveOptions,
): Promise<{ path: string; isSpecial: boolean }> {
  const { lstat, realpath, stat } = await import('node:fs/promises')
  const entry = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw fileError('write', path, error)
  })
  if (entry === null) return { path, isSpecial: false }
  if (!followLinks && !entry.isFile()) {
    throw new FileError('file', `Cannot write ${path}: it is a link, a folder or a device.`)
  }
  // A link to nothing is a file that does not exist yet.
  const facts = followLinks ? await stat(path).catch(() => null) : entry
  if (facts?.isDirectory()) throw new FileError('file', `Cannot write ${path}: it is a folder.`)
  if (facts !== null && !facts.isFile()) return { path, isSpecial: true }
  if (!overwrite) throw new FileError('file', `Cannot write ${path}: it exists already.`)
  return { path: facts === null || !followLinks ? path : await realpath(path), isSpecial: false }
}

/** Fails before anything is converted if the output could not be written anyway. */
export async function checkTarget(path: string, options: SaveOptions): Promise<void> {
  const { access, constants } = await import('node:fs/promises')
  const { dirname } = await import('node:path')
  const target = await findTarget(path, options)
  await access(target.isSpecial ? path : dirname(target.path), constants.W_OK).catch((error) => {
    throw fileError('write', path, error)
  })
}

const isFileSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error

export type WritableTarget = WritableStream<Uint8Array> | NodeWritable

/** The members of Node's Writable that are used; its types are not available everywhere. */
export interface NodeWritable {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown
  end(done: () => void): unknown
  destroy(error?: Error): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
}

/** Writes into a stream and ends it; an incomplete output destroys the stream. */
export async function saveToStream(target: WritableTarget, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const sink = 'getWriter' in target ? webSink(target) : nodeSink(target)
  try {
    for await (const piece of pieces) await sink.write(piece)
    await sink.end()
  } catch (error) {
    sink.abort(error)
    throw error
  }
}

interface Sink {
  write(piece: Uint8Array): Promise<void>
  end(): Promise<void>
  abort(error: unknown): void
}

function webSink(stream: WritableStream<Uint8Array>): Sink {
  const writer = stream.getWriter()
  return {
    async write(piece) {
      await writer.ready
      await writer.write(piece)
    },
    end: () => writer.close(),
    // The caller throws the error that is passed on here.
    abort: (error) => void writer.abort(error).catch(() => {}),
  }
}

function nodeSink(stream: NodeWritable): Sink {
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Raced with every write; in between a rejection must not count as unhandled.
  failed.catch(() => {})
  stream.once('error', fail)
  return {
    write: (piece) =>
      Promise.race([
        failed,
        new Promise<void>((resolve, reject) => {
          stream.write(piece, (error) => (error ? reject(error) : resolve()))
        }),
      ]),
    end: () => Promise.race([failed, new Promise<void>((resolve) => stream.end(() => resolve()))]),
    abort: (error) => void stream.destroy(error instanceof Error ? error : new Error(String(error))),
  }
}
