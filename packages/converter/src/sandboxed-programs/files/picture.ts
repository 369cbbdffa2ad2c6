import { deflateSync, inflateSync } from 'node:zlib'
import { failed } from '../../failure.ts'
import { compressedRows, unfilterRow } from '../../png.ts'

// A PNG or JPEG picture as an image of a PDF. A JPEG is embedded as it is; the transparency of a PNG becomes a mask.

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
  const pixels = unfilter(inflateSync(compressedRows(bytes)), width * count, height, count)
  const colours = count > 2 ? 'DeviceRGB' : 'DeviceGray'
  const image = (from: number, to: number, colour: string): PdfImage => ({
    dictionary: imageOf(width, height, colour, '/Filter /FlateDecode'),
    data: deflateSync(pick(pixels, count, from, to)),
  })
  const shown = kind === 4 || kind === 6 ? count - 1 : count
  return {
    width,
    height,
    ...image(0, shown, colours),
    ...(shown < count ? { mask: image(shown, count, 'DeviceGray') } : {}),
  }
}

function pick(pixels: Buffer, count: number, from: number, to: number): Buffer {
  const picked = Buffer.alloc((pixels.length / count) * (to - from))
  let at = 0
  for (let pixel = 0; pixel < pixels.length; pixel += count)
    for (let sample = from; sample < to; sample++) picked[at++] = pixels[pixel + sample] ?? 0
  return picked
}

function unfilter(raw: Buffer, bytes: number, height: number, step: number): Buffer {
  if (raw.length < (bytes + 1) * height) throw unsupported()
  const rows: Buffer[] = []
  let above: Buffer = Buffer.alloc(bytes)
  for (let y = 0; y < height; y++) {
    const at = y * (bytes + 1)
    above = unfilterRow(raw[at] ?? 0, raw.subarray(at + 1, at + 1 + bytes), above, step)
    rows.push(above)
  }
  return Buffer.concat(rows)
}
