import { setImmediate } from 'node:timers/promises'
import { ConversionFailed, failed } from '../failure.ts'
import { type Archive, openArchive, type RandomAccess } from './archive.ts'

// Documents that are zip packages: docx, xlsx, pptx, odt, ods, odp, odg, epub.
//
// Zip bombs: a small archive that inflates to gigabytes fills an engine's memory or disk. More than a thousand real
// documents have at most 15 MB inflated, 383 entries, and 32 times the compressed size. The limits below are well above
// that. The archive's directory may contain wrong sizes, so the bytes are counted while every entry is inflated;
// inflating stops at the limit.

const maxEntries = 5_000
const entriesPerTurn = 8
const maxInflatedBytes = 256 * 1024 * 1024
const maxRatio = 100
const ratioCountsFrom = 16 * 1024 * 1024
/** The parts that identify a package are small. */
const defaultMaxPartBytes = 4 * 1024 * 1024

const bomb = (what: string) =>
  failed.tooComplex(
    `The document ${what}. Such a file cannot be converted safely; save it again with less in it.`,
  )

export interface ZipPackage {
  /** Names of all entries, as in the archive. */
  names: ReadonlySet<string>
  /** Text of the requested entries that exist, by lower-case name. */
  parts: ReadonlyMap<string, string>
  /** Whether one of the entries is encrypted by the archive itself. */
  encrypted: boolean
}

interface Selection {
  /** By lower-case name. */
  wanted: readonly string[] | ((name: string) => boolean)
  maxPartBytes?: number
}

/** Lists and inflates the whole archive within the limits, and returns the text of the requested parts. */
export const readZipPackage = (file: RandomAccess, selection: Selection): Promise<ZipPackage> =>
  openPackage(file, (archive) => inflateAll(archive, selection))

/** Inflates only the requested parts, of a file whose size was verified by `readZipPackage` before. */
export const readParts = (file: RandomAccess, selection: Selection): Promise<ZipPackage> =>
  openPackage(file, (archive) => inflateWanted(archive, selection))

/** Calls `use` with the open archive; a damaged archive is a failure of the input. */
export async function openPackage<T>(file: RandomAccess, use: (archive: Archive) => Promise<T>): Promise<T> {
  try {
    const archive = await openArchive(file, (entries) => {
      if (entries > maxEntries) throw bomb(`holds more than ${maxEntries} files`)
    })
    return await use(archive)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput(
      'The file is a damaged ZIP package: its directory or one of its parts cannot be read. Save it again and try again.',
      error,
    )
  }
}

async function inflateAll(archive: Archive, selection: Selection): Promise<ZipPackage> {
  const { isWanted, maxPartBytes } = normalized(selection)
  const names = new Set<string>()
  const parts = new Map<string, string>()
  let encrypted = false
  let inflatedBytes = 0

  const count = (bytes: number): void => {
    inflatedBytes += bytes
    if (inflatedBytes > maxInflatedBytes) throw bomb('unpacks to more than 256 MB')
    if (inflatedBytes > ratioCountsFrom && inflatedBytes > archive.file.size * maxRatio)
      throw bomb(`unpacks to more than ${maxRatio} times its size`)
  }

  for (const entry of archive.entries) {
    // Small entries are inflated synchronously: where this does not run in a worker thread, let other tasks run.
    if (names.size % entriesPerTurn === 0) await setImmediate()
    names.add(entry.name)
    if (entry.header.isEncrypted()) {
      encrypted = true
      continue
    }
    const key = entry.name.toLowerCase()
    const keepBytes = isWanted(key) ? maxPartBytes : 0
    // Stored bytes cannot grow: no need to read them.
    if (entry.header.compressionMethod === 0 && keepBytes === 0) {
      count(entry.header.compressedSize)
      continue
    }
    const bytes = await archive.readEntry(entry, keepBytes, count)
    if (bytes && keepBytes > 0) parts.set(key, decodeXml(bytes))
  }
  return { names, parts, encrypted }
}

async function inflateWanted(archive: Archive, selection: Selection): Promise<ZipPackage> {
  const { isWanted, maxPartBytes } = normalized(selection)
  const names = new Set<string>()
  const parts = new Map<string, string>()
  let encrypted = false
  for (const entry of archive.entries) {
    names.add(entry.name)
    const key = entry.name.toLowerCase()
    if (entry.header.isEncrypted()) encrypted = true
    else if (isWanted(key)) {
      const bytes = await archive.readEntry(entry, maxPartBytes)
      if (bytes) parts.set(key, decodeXml(bytes))
    }
  }
  return { names, parts, encrypted }
}

function normalized({ wanted, maxPartBytes = defaultMaxPartBytes }: Selection) {
  if (typeof wanted === 'function') return { isWanted: wanted, maxPartBytes }
  const names = new Set(wanted)
  return { isWanted: (name: string) => names.has(name), maxPartBytes }
}

/** XML parts are UTF-8 or, with a byte order mark, UTF-16. */
export function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}
