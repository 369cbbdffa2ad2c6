import { crc32 } from 'node:zlib'

// Archives that no free program writes, or none that Debian has for every architecture. Their files are stored.

export interface Entry {
  name: string
  content: string
}

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** RAR 5. */
export function rar(files: readonly Entry[]): Buffer {
  const vint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...vint(Math.floor(value / 128))]
  const block = (fields: Buffer, data: Uint8Array = Buffer.alloc(0)) => {
    const header = Buffer.concat([Buffer.from(vint(fields.length)), fields])
    return Buffer.concat([uint32(crc32(header)), header, data])
  }
  const fileBlock = (name: string, data: Buffer) => {
    const encoded = Buffer.from(name)
    const [type, hasData, hasChecksum, stored, unix] = [2, 2, 4, 0, 1]
    const size = vint(data.length)
    return block(
      Buffer.concat([
        Buffer.from([type, hasData, ...size, hasChecksum, ...size, ...vint(0o100644)]),
        uint32(crc32(data)),
        Buffer.from([stored, unix, ...vint(encoded.length)]),
        encoded,
      ]),
      data,
    )
  }
  return Buffer.concat([
    Buffer.from('526172211a070100', 'hex'),
    block(Buffer.from([1, 0, 0])),
    ...files.map(({ name, content }) => fileBlock(name, Buffer.from(content))),
    block(Buffer.from([5, 0, 0])),
  ])
}

/** ARJ. */
export function arj(files: readonly Entry[]): Buffer {
  const headerId = Buffer.from([0x60, 0xea])
  const [firstHeaderSize, version, minVersion, unix, stored] = [30, 11, 1, 2, 0]
  const header = (fileType: number, name: string, sizes: readonly Buffer[]) => {
    const fixed = Buffer.from([firstHeaderSize, version, minVersion, unix, 0, stored, fileType, 0])
    const content = Buffer.concat([fixed, uint32(0), ...sizes, Buffer.alloc(6), Buffer.from(`${name}\0\0`)])
    return Buffer.concat([headerId, uint16(content.length), content, uint32(crc32(content)), uint16(0)])
  }
  const [isFile, isMain] = [0, 2]
  const written = files.map(({ name, content }) => {
    const data = Buffer.from(content)
    return Buffer.concat([
      header(isFile, name, [uint32(data.length), uint32(data.length), uint32(crc32(data))]),
      data,
    ])
  })
  const main = header(isMain, 'sample.arj', [uint32(0), uint32(0), uint32(0)])
  return Buffer.concat([main, ...written, headerId, uint16(0)])
}
