import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { ConversionFailed, failed } from '../../failure.ts'
import type { Upload } from './upload.ts'

// Documents that are zip archives: docx, xlsx, pptx, odt, ods, odp, odg, epub.
//
// Bombs. A small archive that unpacks into gigabytes fills an engine's memory or disk. Measured on
// more than a thousand real documents: 15 MB unpacked at most, 383 entries, 32 times the packed size.
// The limits below are far above that. The archive's directory can lie about sizes, so the bytes are
// counted while every entry is really unpacked; unpacking stops at the limit.

const maxEntries = 5_000
const entriesPerTurn = 8
const maxUnpackedBytes = 256 * 1024 * 1024
const maxRatio = 100
const ratioCountsFrom = 16 * 1024 * 1024
/** The parts that tell what a package is are small. */
const defaultKeptPartBytes = 4 * 1024 * 1024

const bomb = (what: string) =>
  failed.tooComplex(
    `The document ${what}. Such a file cannot be converted safely; save it anew with less in it.`,
  )

export interface ZipPackage {
  /** Names of all entries, as they stand in the archive. */
  names: ReadonlySet<string>
  /** Text of the entries asked for, by lower-case name. Missing entries are missing here. */
  parts: ReadonlyMap<string, string>
  /** Is one of the entries encrypted by the archive itself? */
  encrypted: boolean
}

/** Lists and unpacks the whole archive within the limits and keeps the text of a few named parts. */
export async function readZipPackage(
  upload: Upload,
  /** By lower-case name. */
  wanted: readonly string[] | ((name: string) => boolean),
  maxKeptPartBytes = defaultKeptPartBytes,
): Promise<ZipPackage> {
  try {
    // Names are decoded here and not by yauzl: it would refuse the leading slash that some writers put.
    const zip = await fromRandomAccessReaderPromise(new UploadReader(upload), await archiveEnd(upload), {
      decodeStrings: false,
      validateEntrySizes: false,
      autoClose: false,
    })
    if (zip.entryCount > maxEntries) throw bomb(`holds more than ${maxEntries} files`)
    const names = new Set(typeof wanted === 'function' ? [] : wanted)
    const isWanted = typeof wanted === 'function' ? wanted : (name: string) => names.has(name)
    return await unpack(zip, upload, isWanted, maxKeptPartBytes)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput(
      'The file is a damaged ZIP package: its directory or one of its parts cannot be read. Save it anew and try again.',
      error,
    )
  }
}

const chunkBytes = 128 * 1024

/** yauzl's way to the file. The handle stays open: it belongs to the upload. */
class UploadReader extends RandomAccessReader {
  private readonly upload: Upload

  constructor(upload: Upload) {
    super()
    this.upload = upload
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { upload } = this
    async function* chunks() {
      for (let at = start; at < end; at += chunkBytes) yield upload.read(at, Math.min(chunkBytes, end - at))
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
    this.upload.read(position, length).then((bytes) => {
      if (bytes.length < length) return callback(new Error('the archive is cut off'))
      bytes.copy(buffer, offset)
      callback(null)
    }, callback)
  }
}

const endRecordBytes = 22
const maxCommentBytes = 0xffff

/**
 * Where the archive ends: after its last end record and that record's comment. Some writers leave
 * bytes behind it, which the office programs overlook and yauzl would not.
 */
async function archiveEnd(upload: Upload): Promise<number> {
  const tailAt = Math.max(0, upload.size - endRecordBytes - maxCommentBytes)
  const tail = await upload.read(tailAt, upload.size - tailAt)
  const at = tail.lastIndexOf('PK\x05\x06', tail.length - endRecordBytes, 'latin1')
  if (at === -1) throw new Error('the archive has no end record')
  return Math.min(upload.size, tailAt + at + endRecordBytes + tail.readUInt16LE(at + 20))
}

async function unpack(
  zip: ZipFile,
  upload: Upload,
  isWanted: (name: string) => boolean,
  maxKeptPartBytes: number,
): Promise<ZipPackage> {
  const names = new Set<string>()
  const parts = new Map<string, string>()
  let encrypted = false
  let unpackedBytes = 0
  let entries = 0

  const count = (bytes: number): void => {
    unpackedBytes += bytes
    if (unpackedBytes > maxUnpackedBytes) throw bomb('unpacks to more than 256 MB')
    if (unpackedBytes > ratioCountsFrom && unpackedBytes > upload.size * maxRatio) {
      throw bomb(`unpacks to more than ${maxRatio} times its size`)
    }
  }

  for await (const entry of zip.eachEntry()) {
    entries += 1
    // Small ones are unpacked at once. Where the archive is not read in a thread of its own, others get their turn.
    if (entries % entriesPerTurn === 0) await setImmediate()
    if (entries > maxEntries) throw bomb(`holds more than ${maxEntries} files`)
    const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    names.add(name)
    if (entry.isEncrypted()) {
      encrypted = true
      continue
    }
    const kept = await unpackEntry(
      zip,
      entry,
      upload,
      isWanted(name.toLowerCase()) ? maxKeptPartBytes : 0,
      count,
    )
    if (kept) parts.set(name.toLowerCase(), decodeXml(kept))
  }
  return { names, parts, encrypted }
}

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  upload: Upload,
  keepBytes: number,
  count: (bytes: number) => void,
): Promise<Buffer | undefined> {
  // Deflate is all that document formats allow. Anything else is left to the engine's own reader.
  if (!entry.canDecodeFileData()) return undefined
  // Stored bytes cannot grow: no need to read them.
  if (entry.compressionMethod === 0 && keepBytes === 0) {
    count(entry.compressedSize)
    return undefined
  }
  if (entry.compressedSize <= smallEntryBytes) {
    const whole = await unpackSmall(zip, entry, upload)
    if (whole) {
      count(whole.length)
      return keepBytes > 0 ? whole.subarray(0, keepBytes) : undefined
    }
  }
  const stream = await zip.openReadStreamPromise(entry)
  const chunks: Buffer[] = []
  let keptBytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      count(chunk.length)
      if (keptBytes < keepBytes) {
        chunks.push(chunk)
        keptBytes += chunk.length
      }
    }
  } finally {
    if (!stream.closed) {
      stream.destroy()
      await once(stream, 'close').catch(() => undefined)
    }
  }
  return keepBytes > 0 ? Buffer.concat(chunks) : undefined
}

// Most entries are small, and a stream for each would cost more than the unpacking itself.
const smallEntryBytes = 256 * 1024
const smallUnpackedBytes = 4 * 1024 * 1024

/** The whole entry at once; nothing when it grows beyond what is small. */
async function unpackSmall(zip: ZipFile, entry: Entry, upload: Upload): Promise<Buffer | undefined> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = await upload.read(fileDataStart, entry.compressedSize)
  if (entry.compressionMethod === 0) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: smallUnpackedBytes })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** XML parts are UTF-8 or, with a byte order mark, UTF-16. */
function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}
