import { crc32 } from 'node:zlib'
import type { Random } from '@kiln/test-support/random.ts'
import { below, type Mutation } from './generic.ts'

// Containers of parts with a length: pictures, RIFF (AVI), ISO base media (MP4, MOV), EBML (Matroska, WebM); and OLE2. A part
// is changed, dropped, repeated or moved; checksums are recomputed, so that a decoder reads the change.

interface Part {
  at: number
  end: number
  /** Offset of its content. */
  bodyAt: number
  bodyEnd: number
}

const oddNumbers = [0, 1, 2, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]

/** Overwrites one to four bytes within the range with a number at the edge of its type. */
function writeOdd(out: Buffer, from: number, to: number, random: Random): void {
  const width = Math.min(random.pick([1, 2, 4]), to - from)
  if (width < 1) return
  const at = from + below(random, to - from - width + 1)
  const value = random.pick(oddNumbers) % 2 ** (8 * width)
  if (random.next() < 0.5) out.writeUIntBE(value, at, width)
  else out.writeUIntLE(value, at, width)
}

const changePart =
  (partsOf: (file: Buffer) => Part[], repair: (out: Buffer, part: Part) => void): Mutation =>
  (file, random) => {
    const parts = partsOf(file)
    if (parts.length === 0) return file
    const part = random.pick(parts)
    const [before, own, after] = [
      file.subarray(0, part.at),
      file.subarray(part.at, part.end),
      file.subarray(part.end),
    ]
    const kind = random.next()
    if (kind < 0.15) return Buffer.concat([before, after])
    if (kind < 0.3) return Buffer.concat([before, own, own, after])
    if (kind < 0.4) return Buffer.concat([file, own])
    const out = Buffer.from(file)
    // Sizes and kinds come before the content.
    if (kind < 0.6) writeOdd(out, part.at, part.bodyAt, random)
    else writeOdd(out, part.bodyAt, part.bodyEnd, random)
    repair(out, part)
    return out
  }

/** Chunks of PNG: length, type, content, checksum. */
function pngParts(file: Buffer): Part[] {
  const found: Part[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const bodyEnd = at + 8 + file.readUInt32BE(at)
    if (bodyEnd + 4 > file.length) break
    found.push({ at, bodyAt: at + 8, bodyEnd, end: bodyEnd + 4 })
    at = bodyEnd + 4
  }
  return found
}

/** Segments of JPEG before its compressed data: marker, length, content. */
function jpegParts(file: Buffer): Part[] {
  const found: Part[] = []
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const end = Math.min(file.length, at + 2 + file.readUInt16BE(at + 2))
    found.push({ at, bodyAt: Math.min(at + 4, end), bodyEnd: end, end })
    at = Math.max(end, at + 4)
  }
  return found
}

/** Entries of the directories of TIFF: tag, type, count, value. */
function tiffParts(file: Buffer): Part[] {
  if (file.length < 8) return []
  const isLittle = file[0] === 0x49
  const number = (at: number, width: 2 | 4) =>
    isLittle ? file.readUIntLE(at, width) : file.readUIntBE(at, width)
  const found: Part[] = []
  const seen = new Set<number>()
  for (let at = number(4, 4); at >= 8 && at + 6 <= file.length && !seen.has(at); ) {
    seen.add(at)
    const count = number(at, 2)
    for (let entry = at + 2; entry + 12 <= file.length && found.length < 500; entry += 12) {
      if (entry >= at + 2 + 12 * count) break
      found.push({ at: entry, bodyAt: entry + 4, bodyEnd: entry + 12, end: entry + 12 })
    }
    const next = at + 2 + 12 * count
    if (next + 4 > file.length) break
    at = number(next, 4)
  }
  return found
}

/** Chunks of RIFF: type, length, content padded to an even length. */
function riffParts(file: Buffer): Part[] {
  const found: Part[] = []
  for (let at = 12; at + 8 <= file.length && found.length < 500; ) {
    const isList = file.toString('latin1', at, at + 4) === 'LIST'
    const size = file.readUInt32LE(at + 4)
    const bodyEnd = Math.min(file.length, at + 8 + size)
    const end = Math.min(file.length, bodyEnd + (size % 2))
    found.push({ at, bodyAt: at + 8, bodyEnd, end })
    at = isList ? at + 12 : end
  }
  return found
}

/** Boxes of ISO base media, at any depth: length, type, content. */
function boxesIn(file: Buffer, start = 0, end = file.length, depth = 0): Part[] {
  const found: Part[] = []
  for (let at = start; at + 8 <= end && depth < 8; ) {
    const size = file.readUInt32BE(at)
    const next = size < 8 ? end : Math.min(end, at + size)
    found.push({ at, bodyAt: at + 8, bodyEnd: next, end: next })
    const isContainer = /moov|trak|mdia|minf|stbl|edts|udta|dinf/.test(
      file.toString('latin1', at + 4, at + 8),
    )
    if (isContainer) found.push(...boxesIn(file, at + 8, next, depth + 1))
    at = next
  }
  return found
}

const ebmlIds = '1a45dfa3 18538067 114d9b74 1549a966 1654ae6b 1f43b675 1c53bb6b ae a3'
  .split(' ')
  .map((id) => Buffer.from(id, 'hex'))

/** Elements of EBML by their ids, which may also be found elsewhere: id, length, content. */
const ebmlParts = (file: Buffer): Part[] =>
  ebmlIds.flatMap((id) => {
    const found: Part[] = []
    for (let at = file.indexOf(id); at !== -1 && found.length < 200; at = file.indexOf(id, at + 1)) {
      const end = Math.min(file.length, at + 2000)
      found.push({ at, bodyAt: Math.min(end, at + id.length + 1), bodyEnd: end, end })
    }
    return found
  })

const leave = () => {}

export const pngMutations: readonly Mutation[] = [
  changePart(pngParts, (out, { at, bodyEnd }) => {
    out.writeUInt32BE(crc32(out.subarray(at + 4, bodyEnd)), bodyEnd)
  }),
]
export const jpegMutations: readonly Mutation[] = [changePart(jpegParts, leave)]
export const tiffMutations: readonly Mutation[] = [changePart(tiffParts, leave)]
export const riffMutations: readonly Mutation[] = [changePart(riffParts, leave)]
export const isoMutations: readonly Mutation[] = [changePart(boxesIn, leave)]
export const ebmlMutations: readonly Mutation[] = [changePart(ebmlParts, leave)]

const sector = 512
const oddSectors = [0, 1, 0xfffffffe, 0xffffffff, 0xfffffffd, 0x7fffffff]

/** A sector number in the header, an allocation table or a directory of OLE2: chains that loop or lead nowhere. */
const oddChain: Mutation = (file, random) => {
  const out = Buffer.from(file)
  const sectors = Math.floor(out.length / sector)
  if (sectors < 2) return out
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    const start = random.pick([0, sector, below(random, sectors) * sector])
    const at = start + 4 * below(random, sector / 4)
    if (at + 4 <= out.length)
      out.writeUInt32LE(random.next() < 0.5 ? random.pick(oddSectors) : below(random, sectors), at)
  }
  return out
}

const swapSectors: Mutation = (file, random) => {
  const out = Buffer.from(file)
  const sectors = Math.floor(out.length / sector)
  if (sectors < 3) return out
  const [a, b] = [1 + below(random, sectors - 1), 1 + below(random, sectors - 1)]
  file.copy(out, a * sector, b * sector, (b + 1) * sector)
  file.copy(out, b * sector, a * sector, (a + 1) * sector)
  return out
}

export const oleMutations: readonly Mutation[] = [oddChain, oddChain, swapSectors]
