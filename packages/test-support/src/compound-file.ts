// Compound files (OLE), written by the book: storages within storages, small streams and large ones.

export interface Storage {
  [name: string]: Buffer | Storage
}

const [sector, small, smallBelow, free, chainEnd] = [512, 64, 4096, 0xffffffff, 0xfffffffe]

interface Entry {
  name: string
  content: Buffer | undefined
  right: number
  child: number
}

/** The entries of a storage in order, each with its neighbour on the right: a tree without branches. */
function flatten(storage: Storage, entries: Entry[]): number {
  const first = entries.length
  const own = Object.entries(storage).map(([name, content]) => {
    const entry: Entry = {
      name,
      content: Buffer.isBuffer(content) ? content : undefined,
      right: free,
      child: free,
    }
    entries.push(entry)
    return [entry, content] as const
  })
  for (const [index, [entry]] of own.entries())
    entry.right = index + 1 < own.length ? first + index + 1 : free
  for (const [entry, content] of own) if (!Buffer.isBuffer(content)) entry.child = flatten(content, entries)
  return own.length > 0 ? first : free
}

export function compoundFile(root: Storage): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', content: undefined, right: free, child: free }]
  ;(entries[0] as Entry).child = flatten(root, entries)
  const isSmall = (content: Buffer) => content.length < smallBelow
  const chain = (at: number, count: number) =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? chainEnd : at + index + 1))

  const smallTable: number[] = []
  const smallParts: Buffer[] = []
  const large: { content: Buffer; at: number }[] = []
  const starts = entries.map(({ content }) => {
    if (!content || content.length === 0 || !isSmall(content)) return chainEnd
    const count = Math.ceil(content.length / small)
    const at = smallTable.length
    smallTable.push(...chain(at, count))
    smallParts.push(Buffer.concat([content], count * small))
    return at
  })
  const sectorsOf = (bytes: number) => Math.ceil(bytes / sector)
  const smallData = Buffer.concat(smallParts)
  const counts = {
    folder: sectorsOf(entries.length * 128),
    smallTable: Math.max(1, sectorsOf(smallTable.length * 4)),
    smallData: sectorsOf(smallData.length),
    large: entries.reduce(
      (sum, { content }) => sum + (content && !isSmall(content) ? sectorsOf(content.length) : 0),
      0,
    ),
  }
  const others = counts.folder + counts.smallTable + counts.smallData + counts.large
  // The table has room for itself; 109 of its sectors fit into the header.
  let tableSectors = 1
  while (tableSectors * (sector / 4) < others + tableSectors) tableSectors += 1
  if (tableSectors > 109) throw new Error('too large for this writer')
  const folderAt = tableSectors
  const smallTableAt = folderAt + counts.folder
  const smallDataAt = smallTableAt + counts.smallTable
  let at = smallDataAt + counts.smallData
  const table = [
    ...Array.from({ length: tableSectors }, () => 0xfffffffd),
    ...chain(folderAt, counts.folder),
    ...chain(smallTableAt, counts.smallTable),
    ...chain(smallDataAt, counts.smallData),
  ]
  for (const [index, { content }] of entries.entries()) {
    if (!content || isSmall(content)) continue
    const count = sectorsOf(content.length)
    table.push(...chain(at, count))
    starts[index] = at
    large.push({ content, at })
    at += count
  }
  starts[0] = counts.smallData > 0 ? smallDataAt : chainEnd
  const folder = entries.map((entry, index) =>
    folderEntry(entry, starts[index] as number, index === 0 ? smallData.length : undefined),
  )
  const header = Buffer.alloc(sector)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  for (const [place, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, place)
  for (const [place, value] of [
    ...([
      [44, tableSectors],
      [48, folderAt],
      [56, smallBelow],
      [60, smallTableAt],
    ] as const),
    ...([
      [64, counts.smallTable],
      [68, chainEnd],
    ] as const),
  ])
    header.writeUInt32LE(value, place)
  for (let index = 0; index < 109; index += 1)
    header.writeUInt32LE(index < tableSectors ? index : free, 76 + 4 * index)
  return Buffer.concat([
    header,
    numbers(table, tableSectors),
    Buffer.concat(folder, counts.folder * sector),
    numbers(smallTable, counts.smallTable),
    Buffer.concat([smallData], counts.smallData * sector),
    ...large.map(({ content }) => Buffer.concat([content], sectorsOf(content.length) * sector)),
  ])
}

function numbers(values: readonly number[], sectors: number): Buffer {
  const filled = Buffer.alloc(sectors * sector, 0xff)
  for (const [index, value] of values.entries()) filled.writeUInt32LE(value, index * 4)
  return filled
}

function folderEntry({ name, content, right, child }: Entry, start: number, rootBytes?: number): Buffer {
  const entry = Buffer.alloc(128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE((name.length + 1) * 2, 64)
  entry[66] = rootBytes !== undefined ? 5 : content ? 2 : 1
  entry[67] = 1
  for (const [place, value] of [
    [68, free],
    [72, right],
    [76, child],
  ] as const)
    entry.writeUInt32LE(value, place)
  entry.writeUInt32LE(content || rootBytes !== undefined ? start : 0, 116)
  entry.writeUInt32LE(rootBytes ?? content?.length ?? 0, 120)
  return entry
}
