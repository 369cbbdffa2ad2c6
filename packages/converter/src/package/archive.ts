import { once } from 'node:events'
import { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'

// A zip archive, read by its central directory with yauzl. Every size in it may be wrong: callers pass a limit and
// count the inflated bytes.

/** A file that is read at any position, such as an upload. */
export interface RandomAccess {
  readonly size: number
  read(position: number, length: number): Promise<Buffer>
}

export interface ArchiveEntry {
  /** Decoded, with forward slashes. */
  readonly name: string
  readonly header: Entry
}

export interface Archive {
  readonly file: RandomAccess
  /** In the order of the directory. */
  readonly entries: readonly ArchiveEntry[]
  /**
   * The first `maxBytes` of an entry; undefined for a compression method other than Deflate. With `onBytes` the whole
   * entry is inflated and counted: it is called with the length of each piece, and may throw to stop.
   */
  readEntry(
    entry: ArchiveEntry,
    maxBytes: number,
    onBytes?: (bytes: number) => void,
  ): Promise<Buffer | undefined>
  /** Where the compressed data of an entry begins. */
  dataStart(entry: ArchiveEntry): Promise<number>
}

/** `checkCount` gets the number of entries before they are listed, and may throw. */
export async function openArchive(
  file: RandomAccess,
  checkCount: (entries: number) => void = () => {},
): Promise<Archive> {
  // Names are decoded here: yauzl rejects the leading slash that some programs write.
  const zip = await fromRandomAccessReaderPromise(new BufferedReader(file), await archiveEnd(file), {
    decodeStrings: false,
    validateEntrySizes: false,
    autoClose: false,
  })
  checkCount(zip.entryCount)
  const entries: ArchiveEntry[] = []
  for await (const header of zip.eachEntry()) entries.push({ name: entryName(header), header })
  return {
    file,
    entries,
    readEntry: ({ header }, maxBytes, onBytes) => readEntry(zip, file, header, maxBytes, onBytes),
    dataStart: async ({ header }) =>
      (await zip.readLocalFileHeaderPromise(header, { minimal: true })).fileDataStart,
  }
}

const entryName = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)

const chunkBytes = 128 * 1024

/** yauzl reads the directory in small pieces: they come from one larger read. The file stays open. */
class BufferedReader extends RandomAccessReader {
  private readonly file: RandomAccess
  private buffered: Buffer = Buffer.alloc(0)
  private bufferStart = 0

  constructor(file: RandomAccess) {
    super()
    this.file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { file } = this
    async function* chunks() {
      for (let at = start; at < end; at += chunkBytes) yield file.read(at, Math.min(chunkBytes, end - at))
    }
    return Readable.from(chunks(), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.bytesAt(position, length).then((bytes) => {
      if (bytes.length < length) return callback(new Error('the archive is truncated'))
      bytes.copy(buffer, offset)
      callback(null)
    }, callback)
  }

  private async bytesAt(position: number, length: number): Promise<Buffer> {
    const offset = position - this.bufferStart
    if (offset < 0 || offset + length > this.buffered.length) {
      const bytes = await this.file.read(position, Math.max(length, chunkBytes))
      if (length > chunkBytes) return bytes
      this.buffered = bytes
      this.bufferStart = position
      return bytes.subarray(0, length)
    }
    return this.buffered.subarray(offset, offset + length)
  }
}

const endRecordBytes = 22
const maxCommentBytes = 0xffff

/**
 * The position after the last end record and its comment. Some programs leave bytes after it, which office programs
 * ignore and yauzl does not.
 */
async function archiveEnd(file: RandomAccess): Promise<number> {
  const tailAt = Math.max(0, file.size - endRecordBytes - maxCommentBytes)
  const tail = await file.read(tailAt, file.size - tailAt)
  const at = tail.lastIndexOf('PK\x05\x06', tail.length - endRecordBytes, 'latin1')
  if (at === -1) throw new Error('the archive has no end record')
  return Math.min(file.size, tailAt + at + endRecordBytes + tail.readUInt16LE(at + 20))
}

async function readEntry(
  zip: ZipFile,
  file: RandomAccess,
  header: Entry,
  maxBytes: number,
  onBytes: ((bytes: number) => void) | undefined,
): Promise<Buffer | undefined> {
  if (!header.canDecodeFileData()) return undefined
  if (header.compressedSize <= smallEntryBytes) {
    const whole = await inflateSmall(zip, file, header)
    if (whole) {
      onBytes?.(whole.length)
      return whole.subarray(0, maxBytes)
    }
  }
  const stream = await zip.openReadStreamPromise(header)
  const chunks: Buffer[] = []
  let keptBytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onBytes?.(chunk.length)
      if (keptBytes < maxBytes) {
        chunks.push(chunk)
        keptBytes += chunk.length
      } else if (!onBytes) break
    }
  } finally {
    if (!stream.closed) {
      stream.destroy()
      // The stream was destroyed because of another error, which is the one to report.
      await once(stream, 'close').catch(() => undefined)
    }
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

// Most entries are small, and a stream for each costs more than inflating it.
const smallEntryBytes = 256 * 1024
const smallInflatedBytes = 4 * 1024 * 1024

/** The whole entry; undefined when it inflates to more than a small entry. */
async function inflateSmall(zip: ZipFile, file: RandomAccess, header: Entry): Promise<Buffer | undefined> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(header, { minimal: true })
  const compressed = await file.read(fileDataStart, header.compressedSize)
  if (header.compressionMethod === 0) return compressed
  try {
    return inflateRawSync(compressed, { maxOutputLength: smallInflatedBytes })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
