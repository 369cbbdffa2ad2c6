// Cameras store a picture as the sensor saw it, and say in its Exif data how it is meant to be seen.

const exifMarker = 0xe1
const startOfScan = 0xda
const orientationTag = 0x0112

/** The value of Exif's orientation, 1 to 8; 1, as it is, where there is none. */
export function orientationOf(jpeg: Uint8Array): number {
  const file = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    if (file[at + 1] === startOfScan) return 1
    if (file[at + 1] !== exifMarker || file.toString('latin1', at + 4, at + 10) !== 'Exif\0\0') continue
    return orientationIn(file.subarray(at + 10, at + 2 + file.readUInt16BE(at + 2)))
  }
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
