// What the segments before the pixels of a JPEG say: its size, and how its camera held it.

const exifMarker = 0xe1
const adobeMarker = 0xee
const startOfScan = 0xda
const fill = 0xff
/** Start of a frame of any coding; the three between them are other tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const orientationTag = 0x0112

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
  /** Adobe's programs store the four colours of print as their opposites. */
  isByAdobe: boolean
}

/** Undefined when it is none. */
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

/** The value of Exif's orientation, 1 to 8; 1, as it is, where there is none. */
export function orientationOf(jpeg: Uint8Array): number {
  for (const { marker, data } of segmentsOf(jpeg))
    if (marker === exifMarker && data.toString('latin1', 0, 6) === 'Exif\0\0')
      return orientationIn(data.subarray(6))
  return 1
}

/** In the first directory of a TIFF file. */
function orientationIn(tiff: Buffer): number {
  if (tiff.length < 8) return 1
  const isLittle = tiff[0] === 0x49
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = short(directory)
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + 12 * entry
    if (at + 12 > tiff.length) return 1
    if (short(at) !== orientationTag) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Of the unit square that a picture fills in a PDF, for each orientation: first mirrored, then turned. */
export const orientationMatrix: Readonly<Record<number, string>> = {
  1: '1 0 0 1 0 0',
  2: '-1 0 0 1 1 0',
  3: '-1 0 0 -1 1 1',
  4: '1 0 0 -1 0 1',
  5: '0 -1 -1 0 1 1',
  6: '0 -1 1 0 0 1',
  7: '0 1 1 0 0 0',
  8: '0 1 -1 0 1 0',
}

export const isSideways = (orientation: number): boolean => orientation >= 5
