import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const red: Colour = [255, 0, 0, 255]
export const blue: Colour = [0, 0, 255, 255]
export const white: Colour = [255, 255, 255, 255]
export const transparent: Colour = [0, 0, 0, 0]

const side = 64
/** The quarters of the test image, row by row. */
export const quarters = [red, blue, white, transparent] as const

/** A PNG whose header may declare more than its pixels. */
export function png(width: number, height: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, checksum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** 64 × 64 pixels. */
export function quarteredImage(): Buffer {
  const rows = Array.from({ length: side }, (_, y) => {
    const pixels = Array.from({ length: side }, (_, x) => quarterAt(x, y))
    return Buffer.from([0, ...pixels.flat()])
  })
  return png(side, side, Buffer.concat(rows))
}

const quarterAt = (x: number, y: number): Colour =>
  quarters[(y < side / 2 ? 0 : 2) + (x < side / 2 ? 0 : 1)] as Colour
