import { compoundFile } from './compound-file.ts'

// A VBA project as Microsoft's programs store it: a compound file with a storage `VBA`, in which each module is a
// stream. Written by hand so that a test shows what the macro does.

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
  return compoundFile({
    VBA: {
      _VBA_PROJECT: Buffer.from([0xcc, 0x61, 0xff, 0xff, 0, 0, 0]),
      dir: compressed(directory),
      [name]: compressed(Buffer.from(source)),
    },
    PROJECT: Buffer.from(`ID="{00000000-0000-0000-0000-000000000000}"\r\nModule=${name}\r\n`),
  })
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
