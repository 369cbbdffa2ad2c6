import { ConversionFailed, failed } from '../../failure.ts'
import type { Upload } from './upload.ts'

// The container of doc, xls and ppt, and of every encrypted docx, xlsx and pptx: an OLE compound file, which is a small
// file system. Only its directory and the first bytes of a stream are needed, so only these are read, each table up to
// a limit, and never the whole file. Layout: [MS-CFB]. A header, a sector table (FAT) found through the DIFAT, a chain
// of directory sectors, and for streams under 4 KiB a small file system inside the root entry.

const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const lastRegularSector = 0xfffffffa
const maxDirectorySectors = 4_096
const maxDifatSectors = 1_024

export interface OleStream {
  name: string
  size: number
  /** Up to `length` bytes from the stream's beginning. */
  start(length: number): Promise<Buffer>
  /** Replaces the stream's bytes by others of the same length in `file`, which holds all of the compound file. */
  overwrite(bytes: Buffer, file: Buffer): Promise<void>
  /** The position in the file of the stream's byte at `offset`. */
  locate(offset: number): Promise<number>
}

export const isOle = (head: Buffer): boolean => head.subarray(0, 8).equals(signature)

export interface OleRoot {
  /** Found by their names, whatever the case of their letters. */
  streams: ReadonlyMap<string, OleStream>
  /** Names of the folders. */
  folders: ReadonlySet<string>
}

/** Names are compared without regard to case: some programs write `WORKBOOK`. */
class StreamMap extends Map<string, OleStream> {
  readonly #names = new Map<string, string>()
  override set(name: string, stream: OleStream) {
    this.#names.set(name.toUpperCase(), name)
    return super.set(name, stream)
  }
  override has(name: string) {
    return this.#names.has(name.toUpperCase())
  }
  override get(name: string) {
    return super.get(this.#names.get(name.toUpperCase()) ?? name)
  }
}

/** The entries of the root: the streams that identify the kind of document, and the storages. */
export async function readOleRoot(upload: Upload): Promise<OleRoot> {
  try {
    return await readRoot(upload)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput('The file is damaged: its table of contents cannot be read.', error)
  }
}

async function readRoot(upload: Upload): Promise<OleRoot> {
  const { head } = upload
  const sectorSize = 2 ** head.readUInt16LE(0x1e)
  const miniSectorSize = 2 ** head.readUInt16LE(0x20)
  const miniCutoff = head.readUInt32LE(0x38)
  if (![512, 4096].includes(sectorSize) || miniSectorSize > sectorSize) throw damaged('sector size')
  const sector = (index: number, from = 0, length = sectorSize) =>
    upload.read((index + 1) * sectorSize + from, length)

  const fatSectors = await readDifat(head, sector, sectorSize)
  const entriesPerSector = sectorSize / 4
  const nextIn = (tables: readonly number[]) => async (index: number) => {
    const table = tables[Math.floor(index / entriesPerSector)]
    if (table === undefined) throw damaged('sector outside the table')
    const entry = await sector(table, (index % entriesPerSector) * 4, 4)
    if (entry.length < 4) throw damaged('table cut off')
    return entry.readUInt32LE(0)
  }
  const next = nextIn(fatSectors)
  const chain = async (first: number, maxSectors: number): Promise<number[]> => {
    const list: number[] = []
    for (
      let index = first;
      index < lastRegularSector && list.length < maxSectors;
      index = await next(index)
    ) {
      list.push(index)
    }
    return list
  }

  const directorySectors = await chain(head.readUInt32LE(0x30), maxDirectorySectors)
  const directory = Buffer.concat(await Promise.all(directorySectors.map((index) => sector(index))))
  const entries = parseDirectory(directory, sectorSize)
  const root = entries.find((entry) => entry.type === 5)
  if (!root) throw damaged('no root entry')

  // A stream under the cutoff is in the root's stream, in small sectors chained by a second table.
  const smallPieces = async (first: number, length: number): Promise<number[]> => {
    const miniNext = nextIn(await chain(head.readUInt32LE(0x3c), maxDirectorySectors))
    const rootSectors = await chain(root.first, 65_536)
    const positions: number[] = []
    let index = first
    for (let got = 0; got < length && index < lastRegularSector; got += miniSectorSize) {
      const at = index * miniSectorSize
      const holder = rootSectors[Math.floor(at / sectorSize)]
      if (holder === undefined) throw damaged('small stream outside the file')
      positions.push((holder + 1) * sectorSize + (at % sectorSize))
      index = await miniNext(index)
    }
    return positions
  }
  const sectors = async (first: number, length: number): Promise<number[]> =>
    (await chain(first, Math.ceil(length / sectorSize))).map((index) => (index + 1) * sectorSize)

  const streams = new StreamMap()
  const folders = new Set<string>()
  for (const name of childrenOf(root.child, entries)) {
    const entry = entries[name]
    if (entry?.type === 1) folders.add(entry.name)
    if (entry?.type !== 2) continue
    const [pieceSize, piecesOf] =
      entry.size < miniCutoff ? [miniSectorSize, smallPieces] : [sectorSize, sectors]
    streams.set(entry.name, {
      name: entry.name,
      size: entry.size,
      async start(wanted) {
        const length = Math.min(wanted, entry.size)
        const positions = await piecesOf(entry.first, length)
        const pieces = await Promise.all(positions.map((position) => upload.read(position, pieceSize)))
        return Buffer.concat(pieces).subarray(0, length)
      },
      async overwrite(bytes, file) {
        for (const [index, position] of (await piecesOf(entry.first, entry.size)).entries())
          bytes.copy(file, position, index * pieceSize, (index + 1) * pieceSize)
      },
      async locate(offset) {
        const position = (await piecesOf(entry.first, offset + 1))[Math.floor(offset / pieceSize)]
        if (position === undefined || offset >= entry.size) throw damaged('offset outside the stream')
        return position + (offset % pieceSize)
      },
    })
  }
  return { streams, folders }
}

const damaged = (what: string) =>
  failed.corruptInput('The file is damaged: its table of contents cannot be read.', `OLE container: ${what}`)

async function readDifat(
  head: Buffer,
  sector: (index: number) => Promise<Buffer>,
  sectorSize: number,
): Promise<number[]> {
  const fatSectors: number[] = []
  for (let at = 0x4c; at < 0x200; at += 4) fatSectors.push(head.readUInt32LE(at))
  let more = head.readUInt32LE(0x44)
  for (let count = 0; more < lastRegularSector && count < maxDifatSectors; count += 1) {
    const block = await sector(more)
    if (block.length < sectorSize) break
    for (let at = 0; at < sectorSize - 4; at += 4) fatSectors.push(block.readUInt32LE(at))
    more = block.readUInt32LE(sectorSize - 4)
  }
  return fatSectors.filter((index) => index < lastRegularSector)
}

interface DirectoryEntry {
  name: string
  type: number
  left: number
  right: number
  child: number
  first: number
  size: number
}

function parseDirectory(directory: Buffer, sectorSize: number): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 0x40))
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      type: directory.readUInt8(at + 0x42),
      left: directory.readUInt32LE(at + 0x44),
      right: directory.readUInt32LE(at + 0x48),
      child: directory.readUInt32LE(at + 0x4c),
      first: directory.readUInt32LE(at + 0x74),
      // The upper half of the size is only defined for 4 KiB sectors.
      size:
        sectorSize === 512 ? directory.readUInt32LE(at + 0x78) : Number(directory.readBigUInt64LE(at + 0x78)),
    })
  }
  return entries
}

/** Siblings form a tree; walk it, minding that a hostile file may make it a circle. */
function childrenOf(first: number, entries: readonly DirectoryEntry[]): number[] {
  const seen = new Set<number>()
  const waiting = [first]
  while (waiting.length > 0) {
    const index = waiting.pop() ?? lastRegularSector
    const entry = entries[index]
    if (!entry || seen.has(index)) continue
    seen.add(index)
    waiting.push(entry.left, entry.right)
  }
  return [...seen]
}
