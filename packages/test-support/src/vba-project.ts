// A project of macros as Microsoft's programs store it: a compound file with a storage `VBA`, in which each module
// is a stream. Written by hand so that a test says what the macro does.

/** `vbaProject.bin` with one module. */
export function vbaProject(code: string): Buffer {
  const name = 'Module1'
  const source = `Attribute VB_Name = "${name}"\r\n${code.replaceAll('\n', '\r\n')}\r\n`
  const directory = Buffer.concat([
    record(0x0003, Buffer.from([0xe4, 0x04])),
    record(0x000f, Buffer.from([1, 0])),
    record(0x0013, Buffer.from([0, 0])),
    record(0x0019, Buffer.from(name)),
    record(0x001a, Buffer.from(name)),
    record(0x0032, Buffer.from(name, 'utf16le')),
    record(0x0031, Buffer.alloc(4)),
    record(0x0021, Buffer.alloc(0)),
    record(0x002b, Buffer.alloc(0)),
    record(0x0010, Buffer.alloc(0)),
  ])
  return compoundFile([
    { name: 'VBA', holds: 3 },
    {
      name: 'PROJECT',
      content: Buffer.from(`ID="{00000000-0000-0000-0000-000000000000}"\r\nModule=${name}\r\n`),
    },
    { name: '_VBA_PROJECT', content: Buffer.from([0xcc, 0x61, 0xff, 0xff, 0, 0, 0]) },
    { name: 'dir', content: compressed(directory) },
    { name, content: compressed(Buffer.from(source)) },
  ])
}

function record(number: number, data: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(number, 0)
  head.writeUInt32LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** One chunk, every byte for itself: allowed, and no shorter than it was. */
function compressed(data: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < data.length; at += 8) pieces.push(Buffer.from([0]), data.subarray(at, at + 8))
  const body = Buffer.concat(pieces)
  const head = Buffer.alloc(3)
  head[0] = 1
  head.writeUInt16LE(0xb000 | (body.length - 1), 1)
  return Buffer.concat([head, body])
}

interface Entry {
  name: string
  content?: Buffer
  /** So many of the entries behind all that stand beside it are inside. */
  holds?: number
}

const [sector, small, free, chainEnd] = [512, 64, 0xffffffff, 0xfffffffe]

/** Streams of less than 4 KB each. The first entry is a storage with the last `holds` entries in it. */
function compoundFile(entries: readonly Entry[]): Buffer {
  const smallTable: number[] = []
  const smallSectors: Buffer[] = []
  const places = entries.map(({ content }) => {
    if (!content) return { start: 0, length: 0 }
    const count = Math.ceil(content.length / small)
    const start = smallTable.length
    for (let index = 1; index <= count; index += 1)
      smallTable.push(index === count ? chainEnd : start + index)
    smallSectors.push(Buffer.concat([content], count * small))
    return { start, length: content.length }
  })
  const data = Buffer.concat(smallSectors)
  const dataSectors = Math.ceil(data.length / sector)
  const folderSectors = Math.ceil(((entries.length + 1) * 128) / sector)
  // The file: table of sectors, table of small sectors, folder, small sectors.
  const folderAt = 2
  const dataAt = folderAt + folderSectors
  const chain = (at: number, count: number) =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? chainEnd : at + index + 1))
  const table = [0xfffffffd, chainEnd, ...chain(folderAt, folderSectors), ...chain(dataAt, dataSectors)]
  const beside = entries.length - (entries[0]?.holds ?? 0)
  const folder = [
    folderEntry('Root Entry', 5, dataAt, dataSectors * sector, { child: 1 }),
    ...entries.map((entry, index) => {
      const { start, length } = places[index] as { start: number; length: number }
      // Each has its neighbour on the right: a tree without branches.
      const isLast = index + 1 === beside || index + 1 === entries.length
      const right = isLast ? free : index + 2
      return entry.content
        ? folderEntry(entry.name, 2, start, length, { right })
        : folderEntry(entry.name, 1, 0, 0, { right, child: beside + 1 })
    }),
  ]
  const header = Buffer.alloc(sector, 0)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at)
  for (const [at, value] of [
    [44, 1],
    [48, folderAt],
    [56, 4096],
    [60, 1],
    [64, 1],
    [68, chainEnd],
  ] as const)
    header.writeUInt32LE(value, at)
  for (let at = 76; at < sector; at += 4) header.writeUInt32LE(at === 76 ? 0 : free, at)
  return Buffer.concat([
    ...[header, numbers(table), numbers(smallTable)],
    Buffer.concat(folder, folderSectors * sector),
    Buffer.concat([data], dataSectors * sector),
  ])
}

function numbers(list: readonly number[]): Buffer {
  const made = Buffer.alloc(sector, 0xff)
  for (const [index, value] of list.entries()) made.writeUInt32LE(value, index * 4)
  return made
}

function folderEntry(
  name: string,
  kind: number,
  start: number,
  length: number,
  { right = free, child = free }: { right?: number; child?: number },
): Buffer {
  const made = Buffer.alloc(128)
  made.write(name, 0, 'utf16le')
  made.writeUInt16LE((name.length + 1) * 2, 64)
  made.writeUInt8(kind, 66)
  made.writeUInt8(1, 67)
  made.writeUInt32LE(free, 68)
  made.writeUInt32LE(right, 72)
  made.writeUInt32LE(child, 76)
  made.writeUInt32LE(start, 116)
  made.writeUInt32LE(length, 120)
  return made
}
