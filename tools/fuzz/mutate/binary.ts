import type { Random } from '@kiln/test-support/random.ts'
import { below, type Mutation } from './generic.ts'

// Containers that are trees of sized elements: ISO base media (MP4, MOV), EBML (Matroska, WebM); and OLE2.

interface Element {
  at: number
  end: number
  sizeAt: number
}

const oddSizes = [0, 1, 7, 8, 9, 0x7fffffff, 0xffffffff]

/** Boxes of ISO base media, at any depth. */
function boxesIn(file: Buffer, start = 0, end = file.length, depth = 0): Element[] {
  const found: Element[] = []
  for (let at = start; at + 8 <= end && depth < 8; ) {
    const size = file.readUInt32BE(at)
    const next = size < 8 ? end : Math.min(end, at + size)
    found.push({ at, end: next, sizeAt: at })
    const isContainer = /moov|trak|mdia|minf|stbl|edts|udta|dinf/.test(
      file.toString('latin1', at + 4, at + 8),
    )
    if (isContainer) found.push(...boxesIn(file, at + 8, next, depth + 1))
    at = next
  }
  return found
}

const ebmlIds = [
  '1a45dfa3',
  '18538067',
  '114d9b74',
  '1549a966',
  '1654ae6b',
  '1f43b675',
  '1c53bb6b',
  'ae',
  'a3',
].map((id) => Buffer.from(id, 'hex'))

/** Elements of EBML by their ids, which may also be found elsewhere. */
const ebmlIn = (file: Buffer): Element[] =>
  ebmlIds.flatMap((id) => {
    const found: Element[] = []
    for (let at = file.indexOf(id); at !== -1 && found.length < 200; at = file.indexOf(id, at + 1))
      found.push({ at, end: Math.min(file.length, at + 2000), sizeAt: at + id.length })
    return found
  })

const changedBy =
  (find: (file: Buffer) => Element[], write: (out: Buffer, at: number, random: Random) => void) =>
  (kind: 'size' | 'drop' | 'repeat' | 'type'): Mutation =>
  (file, random) => {
    const elements = find(file)
    if (elements.length === 0) return file
    const { at, end, sizeAt } = random.pick(elements)
    if (kind === 'drop') return Buffer.concat([file.subarray(0, at), file.subarray(end)])
    if (kind === 'repeat')
      return Buffer.concat([file.subarray(0, end), file.subarray(at, end), file.subarray(end)])
    const out = Buffer.from(file)
    if (kind === 'size') write(out, sizeAt, random)
    else if (at + 8 <= out.length)
      out.write(random.pick(['free', 'moov', 'mdat', 'stsz', 'xxxx']), at + 4, 'latin1')
    return out
  }

const inBoxes = changedBy(boxesIn, (out, at, random) => {
  if (at + 4 <= out.length) out.writeUInt32BE(random.pick(oddSizes), at)
})
const inEbml = changedBy(ebmlIn, (out, at, random) => {
  if (at < out.length) out[at] = random.pick([0, 1, 0x80, 0xff, 0x81, 0x40])
})

export const isoMutations: readonly Mutation[] = [
  inBoxes('size'),
  inBoxes('drop'),
  inBoxes('repeat'),
  inBoxes('type'),
]
export const ebmlMutations: readonly Mutation[] = [inEbml('size'), inEbml('drop'), inEbml('repeat')]

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
