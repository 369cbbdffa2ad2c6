// TrueType and OpenType files are a directory of tables. Here they are taken apart and put together again.
// Numbers in them have the most significant byte first.

const collectionTag = 0x74746366 // ttcf

export class Tables extends Map<string, Buffer> {
  /** One that every font has. */
  need(name: string): Buffer {
    const table = this.get(name)
    if (!table) throw new Error(`The font has no table ${name}.`)
    return table
  }
}

export interface Font {
  version: number
  tables: Tables
}

/** The tables of a font by name; of a collection, those of the font with that number. */
export function readFont(file: Buffer, number = 0): Font {
  const at = file.readUInt32BE(0) === collectionTag ? file.readUInt32BE(12 + 4 * number) : 0
  const tables = new Tables()
  for (let index = 0; index < file.readUInt16BE(at + 4); index += 1) {
    const entry = at + 12 + 16 * index
    const start = file.readUInt32BE(entry + 8)
    tables.set(
      file.toString('latin1', entry, entry + 4),
      file.subarray(start, start + file.readUInt32BE(entry + 12)),
    )
  }
  return { version: file.readUInt32BE(at), tables }
}

/** One file of one font, or a collection of several, in which a table that is the same bytes of a base is stored once. */
export function writeFonts(fonts: readonly Font[]): Buffer {
  const collection = fonts.length > 1
  const directoryBytes = (font: Font) => 12 + 16 * font.tables.size
  const headerBytes = collection ? 12 + 4 * fonts.length : 0
  let position = headerBytes + fonts.reduce((sum, font) => sum + directoryBytes(font), 0)
  const parts: Buffer[] = []
  const stored = new Map<string, Place>()
  for (const { tables } of fonts) {
    for (const [name, content] of tables) {
      if (stored.has(keyOf(content))) continue
      // Readers ignore the checksum of the whole file in a collection, and most do so everywhere.
      if (name === 'head') content.writeUInt32BE(0, 8)
      stored.set(keyOf(content), { start: position, sum: checksum(content) })
      const padding = -content.length & 3
      parts.push(content, Buffer.alloc(padding))
      position += content.length + padding
    }
  }
  const header = Buffer.alloc(headerBytes)
  if (collection) {
    header.writeUInt32BE(collectionTag, 0)
    header.writeUInt32BE(0x00010000, 4)
    header.writeUInt32BE(fonts.length, 8)
  }
  const directories: Buffer[] = []
  let at = headerBytes
  for (const [index, font] of fonts.entries()) {
    if (collection) header.writeUInt32BE(at, 12 + 4 * index)
    const directory = directoryOf(font, stored)
    directories.push(directory)
    at += directory.length
  }
  const file = Buffer.concat([header, ...directories, ...parts])
  const [only] = fonts
  if (only && !collection) adjust(file, placeOf(only.tables.need('head'), stored).start)
  return file
}

interface Place {
  start: number
  sum: number
}

const numbers = new WeakMap<ArrayBufferLike, number>()
let buffers = 0

/** The same for two views of the same bytes. */
function keyOf({ buffer, byteOffset, length }: Buffer): string {
  if (!numbers.has(buffer)) numbers.set(buffer, buffers++)
  return `${numbers.get(buffer)} ${byteOffset} ${length}`
}

function placeOf(content: Buffer, stored: ReadonlyMap<string, Place>): Place {
  const place = stored.get(keyOf(content))
  if (!place) throw new Error('A table was not stored.')
  return place
}

function directoryOf({ version, tables }: Font, stored: ReadonlyMap<string, Place>): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.size)
  const power = Math.floor(Math.log2(tables.size))
  directory.writeUInt32BE(version, 0)
  directory.writeUInt16BE(tables.size, 4)
  directory.writeUInt16BE(16 * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(16 * tables.size - 16 * 2 ** power, 10)
  for (const [index, name] of [...tables.keys()].sort().entries()) {
    const content = tables.need(name)
    const { start, sum } = placeOf(content, stored)
    const entry = 12 + 16 * index
    directory.write(name, entry, 4, 'latin1')
    directory.writeUInt32BE(sum, entry + 4)
    directory.writeUInt32BE(start, entry + 8)
    directory.writeUInt32BE(content.length, entry + 12)
  }
  return directory
}

function checksum(content: Buffer): number {
  let sum = 0
  const whole = content.length & ~3
  for (let at = 0; at < whole; at += 4) sum = (sum + content.readUInt32BE(at)) >>> 0
  if (whole === content.length) return sum
  const rest = Buffer.alloc(4)
  content.copy(rest, 0, whole)
  return (sum + rest.readUInt32BE(0)) >>> 0
}

function adjust(file: Buffer, head: number): void {
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, head + 8)
}
