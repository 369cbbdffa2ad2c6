// Orientation of the camera, from the Exif data of the file.

const orientationTag = 0x0112
/** Prefix of the data in JPEG files and some WebP files. */
export const exifLabel = 'Exif\0\0'

/** The value of Exif's orientation, 1 to 8; 1 (not rotated) if there is none. */
export function orientationIn(exif: Buffer | undefined): number {
  const tiff =
    exif?.toString('latin1', 0, exifLabel.length) === exifLabel ? exif.subarray(exifLabel.length) : exif
  if (!tiff || tiff.length < 8) return 1
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

/** Undefined if it has none or is truncated. */
export const exifOfWebp = (file: Uint8Array): Buffer | undefined => webpChunk(file, 'EXIF')

/** Whether its pixels were compressed with loss, and all are opaque. */
export const isLossyWebp = (file: Uint8Array): boolean =>
  webpChunk(file, 'VP8 ') !== undefined && webpChunk(file, 'ALPH') === undefined

function webpChunk(file: Uint8Array, name: string): Buffer | undefined {
  const riff = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  for (let at = 12; at + 8 <= riff.length; ) {
    const length = riff.readUInt32LE(at + 4)
    if (riff.toString('latin1', at, at + 4) === name) return riff.subarray(at + 8, at + 8 + length)
    // Chunks are padded to even lengths.
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** Matrix of the unit square that a picture fills in a PDF, for each orientation: first mirrored, then rotated. */
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
