import { deflateSync, inflateSync } from 'node:zlib'
import { failed } from '../../failure.ts'

// A PNG or JPEG picture as an image of a PDF. A JPEG stays as it is; of a PNG transparency becomes a mask.

interface PdfImage {
  dictionary: string
  data: Buffer
}

export interface PdfPicture extends PdfImage {
  width: number
  height: number
  mask?: PdfImage
}

const unsupported = () =>
  failed.unsupported('The picture is neither a JPEG nor a PNG with 8 bits for each colour. Save it as one.')

export function readPicture(bytes: Buffer): PdfPicture {
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes)
  if (bytes.subarray(0, 4).toString('latin1') === '\x89PNG') return readPng(bytes)
  throw unsupported()
}

const imageOf = (width: number, height: number, colours: string, rest: string) =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${colours} /BitsPerComponent 8 ${rest}`

function readJpeg(bytes: Buffer): PdfPicture {
  let at = 2
  while (at + 9 < bytes.length) {
    const marker = bytes.readUInt16BE(at)
    // A frame header; the others of this range are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      const [height, width, count] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7), bytes[at + 9]]
      const colours = count === 1 ? 'DeviceGray' : count === 4 ? 'DeviceCMYK' : 'DeviceRGB'
      return { width, height, dictionary: imageOf(width, height, colours, '/Filter /DCTDecode'), data: bytes }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw unsupported()
}

/** Samples of a pixel, by the kind of PNG. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

function readPng(bytes: Buffer): PdfPicture {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, kind = -1, interlaced] = [bytes[24], bytes[25], bytes[28]]
  const count = samples[kind]
  if (depth !== 8 || count === undefined || interlaced !== 0 || width * height > 50_000_000)
    throw unsupported()
  const pixels = unfiltered(inflateSync(chunks(bytes)), width * count, height, count)
  const colours = count > 2 ? 'DeviceRGB' : 'DeviceGray'
  const image = (from: number, to: number, colour: string): PdfImage => ({
    dictionary: imageOf(width, height, colour, '/Filter /FlateDecode'),
    data: deflateSync(pick(pixels, count, from, to)),
  })
  const shown = kind === 4 || kind === 6 ? count - 1 : count
  return {
    ...{ width, height, ...image(0, shown, colours) },
    ...(shown < count ? { mask: image(shown, count, 'DeviceGray') } : {}),
  }
}

function chunks(bytes: Buffer): Buffer {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      found.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(found)
}

function pick(pixels: Buffer, count: number, from: number, to: number): Buffer {
  const picked = Buffer.alloc((pixels.length / count) * (to - from))
  let at = 0
  for (let pixel = 0; pixel < pixels.length; pixel += count)
    for (let sample = from; sample < to; sample++) picked[at++] = pixels[pixel + sample] ?? 0
  return picked
}

/** Undoes the filters of the PNG's rows. */
function unfiltered(raw: Buffer, row: number, height: number, step: number): Buffer {
  if (raw.length < (row + 1) * height) throw unsupported()
  const out = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] ?? 0
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x >= step ? (out[at - step] ?? 0) : 0
      const up = y > 0 ? (out[at - row] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[at - row - step] ?? 0) : 0
      out[at] = (raw[y * (row + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner)
    }
  }
  return out
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const estimate = left + up - corner
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(estimate - each)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
