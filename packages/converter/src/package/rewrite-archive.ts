import { type FileHandle, open } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Archive, ArchiveEntry } from './archive.ts'

// Writes a zip archive again with some of its parts replaced and others added. The other parts are copied in their
// compressed form. LibreOffice rejects archives with gaps or with sizes that disagree, so every entry gets a new local
// header, made from the directory, and entries follow each other without gaps.

const localHeaderBytes = 30
const recordBytes = 46
const endRecordBytes = 22
const chunkBytes = 256 * 1024
const dataDescriptorFlag = 0x0008
const utf8Flag = 0x0800
const deflate = 8
/** The extra field of zip64: the sizes it repeats are written into the record itself. */
const zip64FieldId = 1

/** New content by lower-case part name. */
export type NewParts = ReadonlyMap<string, string | Buffer>

interface Data {
  crc: number
  compressedSize: number
  size: number
}

/**
 * Writes the archive to `target`, a new file. Parts that the archive lacks are added to it. Returns false, without
 * writing anything, when entries overlap or are outside the file.
 */
export async function rewriteArchive(archive: Archive, target: string, parts: NewParts): Promise<boolean> {
  if (!fitsIntoFile(archive)) return false
  const output = await open(target, 'wx', 0o644)
  try {
    await writeEntries(archive, output, parts)
  } finally {
    await output.close()
  }
  return true
}

/** Writes a new archive of these parts to `target`, a new file. */
export async function writeArchive(target: string, parts: NewParts): Promise<void> {
  const file = { size: 0, read: async () => noBytes }
  const nothing = { file, entries: [], readEntry: async () => undefined, dataStart: async () => 0 }
  await rewriteArchive(nothing, target, parts)
}

/** Entries that share data would be written once for each. */
function fitsIntoFile({ entries, file }: Archive): boolean {
  let total = 0
  return entries.every(({ header }) => {
    total += header.compressedSize
    return total <= file.size && header.relativeOffsetOfLocalHeader + localHeaderBytes <= file.size
  })
}

async function writeEntries(archive: Archive, output: FileHandle, parts: NewParts): Promise<void> {
  const writer = createWriter(output)
  const directory: Buffer[] = []
  const writeDeflated = async (entry: EntryFields, content: Buffer) => {
    const compressed = deflateRawSync(content, { level: 1 })
    const data = { crc: crc32(content), compressedSize: compressed.length, size: content.length }
    const record = directoryRecord(entry, data, writer.position())
    directory.push(record)
    await writer.write(localHeader(record))
    await writer.write(compressed)
  }
  const existing = new Set(archive.entries.map(({ name }) => name.toLowerCase()))
  for (const [name, content] of parts)
    if (!existing.has(name)) await writeDeflated(newEntry(name), Buffer.from(content))
  for (const entry of archive.entries) {
    const content = parts.get(entry.name.toLowerCase())
    const fields = existingEntry(entry)
    if (content !== undefined) {
      await writeDeflated({ ...fields, method: deflate }, Buffer.from(content))
      continue
    }
    const { crc32: crc, compressedSize, uncompressedSize: size } = entry.header
    const record = directoryRecord(fields, { crc, compressedSize, size }, writer.position())
    directory.push(record)
    await writer.write(localHeader(record))
    const start = await archive.dataStart(entry)
    for (let done = 0; done < compressedSize; done += chunkBytes)
      await writer.write(await archive.file.read(start + done, Math.min(chunkBytes, compressedSize - done)))
  }
  const directoryStart = writer.position()
  for (const record of directory) await writer.write(record)
  await writer.write(endRecord(directory.length, directoryStart, writer.position() - directoryStart))
  await writer.flush()
}

/** Most parts are small: collects them into larger writes. */
function createWriter(output: FileHandle) {
  let pending: Buffer[] = []
  let position = 0
  let written = 0
  const flush = async () => {
    const bytes = Buffer.concat(pending)
    pending = []
    await output.write(bytes, 0, bytes.length, written)
    written += bytes.length
  }
  return {
    position: () => position,
    flush,
    async write(bytes: Buffer): Promise<void> {
      pending.push(bytes)
      position += bytes.length
      if (position - written >= chunkBytes) await flush()
    },
  }
}

interface EntryFields {
  name: Buffer
  madeBy: number
  needs: number
  flags: number
  method: number
  time: number
  date: number
  internalAttributes: number
  externalAttributes: number
  extra: Buffer
  comment: Buffer
}

const noBytes = Buffer.alloc(0)

const newEntry = (name: string): EntryFields => ({
  name: Buffer.from(name),
  madeBy: 20,
  needs: 20,
  flags: utf8Flag,
  method: deflate,
  time: 0,
  // The first of January 1980, the earliest date of the format.
  date: 0x21,
  internalAttributes: 0,
  externalAttributes: 0,
  extra: noBytes,
  comment: noBytes,
})

const existingEntry = ({ header }: ArchiveEntry): EntryFields => ({
  name: header.fileNameRaw,
  madeBy: header.versionMadeBy,
  needs: header.versionNeededToExtract,
  // The sizes are in the header, so no data descriptor follows the data.
  flags: header.generalPurposeBitFlag & ~dataDescriptorFlag,
  method: header.compressionMethod,
  time: header.lastModFileTime,
  date: header.lastModFileDate,
  internalAttributes: header.internalFileAttributes,
  externalAttributes: header.externalFileAttributes,
  extra: header.extraFields.some(({ id }) => id === zip64FieldId) ? noBytes : header.extraFieldRaw,
  comment: header.fileCommentRaw,
})

function directoryRecord(fields: EntryFields, data: Data, position: number): Buffer {
  const { name, extra, comment } = fields
  const record = Buffer.alloc(recordBytes)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(fields.madeBy, 4)
  record.writeUInt16LE(fields.needs, 6)
  record.writeUInt16LE(fields.flags, 8)
  record.writeUInt16LE(fields.method, 10)
  record.writeUInt16LE(fields.time, 12)
  record.writeUInt16LE(fields.date, 14)
  record.writeUInt32LE(data.crc, 16)
  record.writeUInt32LE(data.compressedSize, 20)
  record.writeUInt32LE(data.size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt16LE(comment.length, 32)
  record.writeUInt16LE(fields.internalAttributes, 36)
  record.writeUInt32LE(fields.externalAttributes, 38)
  record.writeUInt32LE(position, 42)
  return Buffer.concat([record, name, extra, comment])
}

/** Version to sizes are the same fields in the same order in the record and in the local header. */
function localHeader(record: Buffer): Buffer {
  const header = Buffer.alloc(localHeaderBytes)
  header.writeUInt32LE(0x04034b50, 0)
  record.copy(header, 4, 6, 28)
  const nameLength = record.readUInt16LE(28)
  header.writeUInt16LE(nameLength, 26)
  return Buffer.concat([header, record.subarray(recordBytes, recordBytes + nameLength)])
}

function endRecord(count: number, directoryStart: number, directoryBytes: number): Buffer {
  const end = Buffer.alloc(endRecordBytes)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directoryBytes, 12)
  end.writeUInt32LE(directoryStart, 16)
  return end
}
