import { exifLabel } from './exif.ts'

// Parses the segments before the pixel data of a JPEG: its size and its Exif data.

const exifMarker = 0xe1
const adobeMarker = 0xee
const startOfScan = 0xda
const fill = 0xff
/** Start-of-frame markers of all codings; the three excluded ones have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

interface Segment {
  marker: number
  data: Buffer
}

function* segmentsOf(jpeg: Uint8Array): Generator<Segment> {
  const file = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  if (file[0] !== 0xff || file[1] !== 0xd8) return
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const marker = file.readUInt8(at + 1)
    if (marker === startOfScan) return
    if (marker === fill) {
      at += 1
      continue
    }
    const end = at + 2 + file.readUInt16BE(at + 2)
    yield { marker, data: file.subarray(at + 4, end) }
    at = end
  }
}

export interface JpegShape {
  width: number
  height: number
  channels: number
  /** Adobe's programs store CMYK values inverted. */
  isByAdobe: boolean
}

/** Undefined if it is not a JPEG. */
export function jpegShape(jpeg: Uint8Array): JpegShape | undefined {
  let isByAdobe = false
  for (const { marker, data } of segmentsOf(jpeg)) {
    if (marker === adobeMarker && data.toString('latin1', 0, 5) === 'Adobe') isByAdobe = true
    if (isFrame(marker) && data.length >= 6)
      return {
        height: data.readUInt16BE(1),
        width: data.readUInt16BE(3),
        channels: data.readUInt8(5),
        isByAdobe,
      }
  }
  return undefined
}

/** Undefined if it has none. */
export function exifOfJpeg(jpeg: Uint8Array): Buffer | undefined {
  for (const { marker, data } of segmentsOf(jpeg))
    if (marker === exifMarker && data.toString('latin1', 0, exifLabel.length) === exifLabel) return data
  return undefined
}
