import { crc32, deflateRawSync } from 'node:zlib'

// A minimal zip writer: deflated entries, with a fixed date so that the same input gives the same output.

export interface Entry {
  name: string
  data: Uint8Array
}

const fixedDate = ((2000 - 1980) << 9) | (1 << 5) | 1

export function zip(entries: readonly Entry[]): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data } of entries) {
    const packed = /\.(png|jpe?g)$/.test(name) ? undefined : deflateRawSync(data, { level: 6 })
    const body = packed && packed.length < data.length ? packed : data
    const method = body === data ? 0 : 8
    const file = Buffer.from(name, 'utf8')
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(0, 6)
    common.writeUInt16LE(fixedDate, 8)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(file.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, file])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), common, tail, file]),
    )
    parts.push(local, Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    offset += local.length + body.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
