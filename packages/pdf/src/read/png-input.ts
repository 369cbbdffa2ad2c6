import { inflateSync } from 'node:zlib'

// The pixel data of most PNG files can be embedded in a PDF unchanged: both use the same compression.

const colours: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1 }
const maxBits = 8

export interface PngImage {
  width: number
  height: number
  bits: number
  /** Entries of the image dictionary. */
  entries: string
  data: Uint8Array
}

/** Undefined for a picture that is transparent, interlaced, of 16 bits, or damaged. */
export function pngAsItIs(file: Uint8Array, maxPixels: number): PngImage | undefined {
  const chunks = chunksOf(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header?.length !== 13 || chunks.some(({ type }) => type === 'tRNS')) return undefined
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits = 0, kind = 0, , , interlace = 0] = header.subarray(8)
  const channels = colours[kind]
  if (channels === undefined || bits > maxBits || interlace !== 0) return undefined
  if (width * height === 0 || width * height > maxPixels) return undefined
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data
  if (kind === 3 && (!palette || palette.length % 3 !== 0)) return undefined
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
  const length = height * (1 + Math.ceil((width * channels * bits) / 8))
  if (!inflatesTo(data, length)) return undefined
  const indexed = `[/Indexed /DeviceRGB ${(palette?.length ?? 0) / 3 - 1} <${palette?.toString('hex')}>]`
  const space = kind === 3 ? indexed : channels === 1 ? '/DeviceGray' : '/DeviceRGB'
  const rows = `/Predictor 15 /Colors ${channels} /BitsPerComponent ${bits} /Columns ${width}`
  return {
    width,
    height,
    bits,
    data,
    entries: `/Filter /FlateDecode /DecodeParms << ${rows} >> /ColorSpace ${space}`,
  }
}

/** Undefined if it has none. */
export const exifOfPng = (file: Uint8Array): Buffer | undefined =>
  chunksOf(Buffer.from(file.buffer, file.byteOffset, file.byteLength)).find(({ type }) => type === 'eXIf')
    ?.data

function chunksOf(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length) break
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

function inflatesTo(data: Uint8Array, length: number): boolean {
  try {
    return inflateSync(data, { maxOutputLength: length }).length === length
  } catch {
    return false
  }
}
