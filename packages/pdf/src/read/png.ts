import { crc32, deflateSync } from 'node:zlib'

// A small PNG encoder: 8 bits per channel, in the smallest of greyscale, RGB and RGBA that suffices.

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}

export interface Bitmap {
  width: number
  height: number
  /** BGRA, straight alpha, no padding. */
  pixels: Uint8Array
}

export function encodePng({ width, height, pixels }: Bitmap): Uint8Array {
  let opaque = true
  let grey = true
  for (let i = 0; i < pixels.length && (opaque || grey); i += 4) {
    if ((pixels[i + 3] as number) < 255) opaque = false
    if (pixels[i] !== pixels[i + 1] || pixels[i] !== pixels[i + 2]) grey = false
  }
  const channels = opaque ? (grey ? 1 : 3) : 4
  const rows = Buffer.alloc(height * (width * channels + 1))
  let to = 0
  let from = 0
  for (let y = 0; y < height; y++) {
    rows[to++] = 0
    for (let x = 0; x < width; x++, from += 4) {
      if (channels === 1) rows[to++] = pixels[from] as number
      else {
        rows[to++] = pixels[from + 2] as number
        rows[to++] = pixels[from + 1] as number
        rows[to++] = pixels[from] as number
        if (channels === 4) rows[to++] = pixels[from + 3] as number
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = channels === 1 ? 0 : channels === 3 ? 2 : 6
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 5 })),
    chunk('IEND', new Uint8Array(0)),
  ])
}
