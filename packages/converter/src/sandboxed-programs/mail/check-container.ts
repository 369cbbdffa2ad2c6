import { failed } from '../../failure.ts'

// An invalid container (a cyclic sector chain, a stream longer than its chain, storages that contain each other) makes
// parsers loop until memory runs out. In a valid one every sector belongs to one chain and every directory entry to one
// storage. Layout: [MS-CFB].

const lastRegular = 0xfffffffa
const free = 0xffffffff

const damaged = (what: string) =>
  failed.corruptInput(
    'The mail is damaged: its table of contents contradicts itself. Save it again from Outlook.',
    what,
  )

export function checkContainer(file: Buffer): void {
  try {
    check(file)
  } catch (error) {
    throw error instanceof RangeError ? damaged(error.message) : error
  }
}

function check(file: Buffer): void {
  const size = 2 ** file.readUInt16LE(0x1e)
  const smallSize = 2 ** file.readUInt16LE(0x20)
  if ((size !== 512 && size !== 4096) || smallSize !== 64) throw damaged('sizes of sectors')
  const count = Math.ceil(file.length / size) - 1
  const numbers = (sectors: readonly number[]) =>
    sectors.flatMap((index) =>
      Array.from({ length: size / 4 }, (_, i) => file.readUInt32LE((index + 1) * size + 4 * i)),
    )

  const tables = Array.from({ length: 109 }, (_, i) => file.readUInt32LE(0x4c + 4 * i))
  const more = new Set<number>()
  for (let at = file.readUInt32LE(0x44); at < lastRegular; at = tables.pop() ?? free) {
    if (more.size === more.add(at).size) throw damaged('list of tables')
    tables.push(...numbers([at]))
  }
  const next = numbers(tables.filter((index) => index < lastRegular))
  const taken = new Set<number>()
  const chain = (
    first: number,
    table: readonly number[],
    seen: Set<number>,
    sectorCount: number,
  ): number[] => {
    const list: number[] = []
    for (let index = first; index < lastRegular; index = table[index] ?? free) {
      if (index >= sectorCount || seen.size === seen.add(index).size) throw damaged(`sector ${index}`)
      list.push(index)
    }
    return list
  }
  const large = (first: number) => chain(first, next, taken, count)

  const directory = Buffer.concat(
    large(file.readUInt32LE(0x30)).map((index) => file.subarray((index + 1) * size, (index + 2) * size)),
  )
  const smallNext = numbers(large(file.readUInt32LE(0x3c)))
  const smallTaken = new Set<number>()
  const smallCount = (large(directory.readUInt32LE(0x74)).length * size) / smallSize
  const visited = new Set<number>([0])
  const waiting = [directory.readUInt32LE(0x4c)]
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index >= lastRegular) continue
    if (visited.size === visited.add(index).size) throw damaged(`entry ${index}`)
    const at = index * 128
    const [left, right, child, first, length] = [0x44, 0x48, 0x4c, 0x74, 0x78].map((field) =>
      directory.readUInt32LE(at + field),
    ) as [number, number, number, number, number]
    waiting.push(left, right, child)
    if (directory.readUInt8(at + 0x42) !== 2 || length === 0) continue
    const isSmall = length < 4096
    const sectors = isSmall ? chain(first, smallNext, smallTaken, smallCount) : large(first)
    if (sectors.length * (isSmall ? smallSize : size) < length) throw damaged(`length of entry ${index}`)
  }
}
