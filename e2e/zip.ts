import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

// Just enough of the zip format to look into Word and EPUB files, and to make odd ones.

export const zip = (entries: readonly [string, Uint8Array][]): Uint8Array<ArrayBuffer> => {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]),
    )
    local.push(entry)
    offset += entry.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...local, directory, end]))
}

/** The files in a zip, by name, read by its directory. */
export const unzip = (bytes: Uint8Array): Map<string, Buffer> => {
  const data = Buffer.from(bytes)
  const end = data.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('not a zip file')
  const files = new Map<string, Buffer>()
  let at = data.readUInt32LE(end + 16)
  for (let left = data.readUInt16LE(end + 10); left > 0; left--) {
    const method = data.readUInt16LE(at + 10)
    const size = data.readUInt32LE(at + 20)
    const nameLength = data.readUInt16LE(at + 28)
    const name = data.toString('utf8', at + 46, at + 46 + nameLength)
    const header = data.readUInt32LE(at + 42)
    const start = header + 30 + data.readUInt16LE(header + 26) + data.readUInt16LE(header + 28)
    const packed = data.subarray(start, start + size)
    files.set(name, method === 0 ? packed : inflateRawSync(packed))
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  }
  return files
}
