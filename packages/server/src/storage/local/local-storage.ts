import { createSecretKey, randomBytes } from 'node:crypto'
import { constants, createWriteStream, type WriteStream } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { send } from '@fastify/send'
import { createOnce } from '../../create-once.ts'
import { refused, unavailable } from '../../errors.ts'
import { parseObjectName } from '../object-names.ts'
import { refusedDownload } from '../refused-download.ts'
import { derivedKey, signLink, verifyLink } from '../signed-link.ts'
import type { Download, DownloadRequest, Storage, StoredObject } from '../storage.ts'

// Objects as files in one directory: in/, out/, and part/ for uploads in progress. A file gets into in/ or out/ only by
// rename, so it is complete or absent. All three are on one file system.

export interface LocalStorage extends Storage {
  /** Reserves disk space for an upload; throws when there is not enough. */
  reserve(bytes: number): Promise<ReservedRoom>
  /** The file behind an object. */
  pathOf(object: string): string
}

export interface ReservedRoom {
  /** Streams the upload to a temporary file; `commit` renames it to the object. */
  receive(object: string, body: Readable, signal: AbortSignal): Promise<ReceivedUpload>
  /** Bytes that have arrived. */
  written(): number
  release(): void
}

interface Room {
  bytes: number
  written(): number
}

export interface ReceivedUpload {
  bytes: number
  /** Opaque; changes with every upload. */
  tag: string
  commit(): Promise<void>
  discard(): Promise<void>
}

// Below this free space the disk counts as full: uploads are refused before they begin.
const sparedBytes = 256 * 1024 * 1024

export async function openLocalStorage(folder: string, publicUrl: string): Promise<LocalStorage> {
  for (const name of ['in', 'out', 'part']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const key = createSecretKey(await readOrMakeKey(join(folder, 'signing-key')))

  const pathOf = (object: string) => {
    // The name becomes a path, so only valid object names are allowed.
    if (!parseObjectName(object)) throw new Error('Not the name of an object.')
    return join(folder, object)
  }
  const partPath = () => join(folder, 'part', randomBytes(16).toString('hex'))
  // Bytes that uploads in progress will still write.
  const rooms = new Set<Room>()
  const reserved = () => [...rooms].reduce((sum, room) => sum + room.bytes - room.written(), 0)
  const check = async (bytes: number) => {
    const { bavail, bsize } = await access(join(folder, 'part'), constants.W_OK)
      .then(() => statfs(folder))
      .catch((error) => {
        throw storageAway(error)
      })
    if (bavail * bsize < sparedBytes + reserved() + bytes) throw noRoom()
  }

  return {
    tellsOfUploads: true,
    uploadOrigin: null,
    pathOf,
    keyFor: (purpose) => derivedKey(key, purpose),
    async uploadUrl({ object, bytes, expiresAt }) {
      return publicUrl + signLink(key, { verb: 'put', object, expiresAt, fields: { bytes: String(bytes) } })
    },
    async downloadUrl({ object, fileName, contentType, expiresAt }) {
      const fields = { name: fileName, type: contentType }
      return publicUrl + signLink(key, { verb: 'get', object, expiresAt, fields })
    },
    verify: (verb, object, query) => verifyLink(key, { verb, object, query, now: new Date() }),
    download: (object, request) => sendFile(pathOf(object), request),

    async reserve(bytes) {
      await check(bytes)
      const room: Room = { bytes, written: () => 0 }
      rooms.add(room)
      return {
        written: () => room.written(),
        release: () => void rooms.delete(room),
        async receive(object, body, signal) {
          const target = pathOf(object)
          const file = createWriteStream(partPath(), { flags: 'wx', mode: 0o444, highWaterMark: 64 * 1024 })
          room.written = () => file.bytesWritten
          return receiveFile(file, target, body, signal)
        },
      }
    },

    async size(object) {
      return (await stat(pathOf(object)).catch(nullIfMissing))?.size ?? null
    },
    async fetch(object, path) {
      // A hard link needs no copy; another file system does.
      try {
        await link(pathOf(object), path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        await copyFile(pathOf(object), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      }
      await chmod(path, 0o444)
    },
    async store(path, object) {
      const target = pathOf(object)
      const part = partPath()
      await moveFile(path, part)
      const handle = await open(part)
      // An output that has been announced must survive a power failure.
      await handle.sync().finally(() => handle.close())
      await rename(part, target)
    },
    remove: (object) => rm(pathOf(object), { force: true }),

    async *list(wanted): AsyncIterable<StoredObject> {
      for (const kind of wanted ? [wanted] : ['in', 'out']) {
        for (const name of await readdir(join(folder, kind))) {
          const info = await stat(join(folder, kind, name)).catch(nullIfMissing)
          if (info) yield { object: `${kind}/${name}`, modifiedAt: info.mtime }
        }
      }
    },
    check: () => check(0),
  }
}

/** Removes incomplete uploads of a killed process. Call it when no other process uses the folder. */
export async function removeStaleParts(folder: string, olderThan: Date): Promise<void> {
  for (const name of await readdir(join(folder, 'part'))) {
    const path = join(folder, 'part', name)
    const info = await stat(path).catch(nullIfMissing)
    if (info && info.mtime < olderThan) await rm(path, { force: true })
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from)
  }
}

async function readOrMakeKey(path: string): Promise<Buffer> {
  await createOnce(path, randomBytes(32))
  return readFile(path)
}

async function receiveFile(
  file: WriteStream,
  target: string,
  body: Readable,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  const part = String(file.path)
  try {
    await writeAll(body, file, signal)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return {
    bytes: file.bytesWritten,
    tag: basename(part),
    commit: () => rename(part, target),
    discard: () => rm(part, { force: true }),
  }
}

/** Does not destroy the body when it stops early, so that the client can still be answered. */
function writeAll(body: Readable, file: WriteStream, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  const stopWatching = finished(body, { writable: false }, (error) => {
    if (error) reject(refused('size-mismatch', 'The upload broke off before its end. Upload the file again.'))
  })
  // Also emitted when the stream is destroyed during a write; that has no effect any more.
  file.on('error', (error) => reject(isDiskFull(error) ? noRoom(error) : storageAway(error)))
  file.once('finish', resolve)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  body.pipe(file)
  return promise.finally(async () => {
    stopWatching()
    signal.removeEventListener('abort', onAbort)
    body.unpipe(file)
    // A file that is still being opened would be created after it was removed.
    const closed = new Promise<void>((resolve) => (file.closed ? resolve() : file.once('close', resolve)))
    file.destroy()
    await closed
  })
}

const noRoom = (cause?: unknown) =>
  unavailable('The service has no room for uploads just now. Try again later.', cause, 30)
const storageAway = (cause: unknown) =>
  unavailable('The service cannot write to its storage just now. Try again shortly.', cause)
const nullIfMissing = (error: unknown) => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
const isDiskFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The response to a GET or HEAD of a file. */
async function sendFile(path: string, request: DownloadRequest): Promise<Download> {
  const file = await send(request as IncomingMessage, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: 'deny',
    cacheControl: false,
    index: false,
  })
  // The library's own error responses are HTML pages.
  if (file.type === 'error') {
    throw refusedDownload(file.statusCode, file.headers['Content-Range']) ?? file.metadata.error
  }
  return { status: file.statusCode, headers: file.headers, body: file.stream }
}
