import { eachStrip, type Pixels } from './pixels.ts'

const headerBytes = 14 + 108
const bitFields = 3
const pixelsPerMetre = 2835

/** 32 bits per pixel with transparency (BITMAPV4HEADER), rows from the top. */
export async function bmpFile(pixels: Pixels, onProgress: (fraction: number) => void): Promise<Blob> {
  const { width, height } = pixels
  const parts: Blob[] = [new Blob([header(width, height)])]
  await eachStrip(pixels, onProgress, (strip) => {
    const bytes = new Uint8Array(strip.length)
    for (let at = 0; at < strip.length; at += 4) {
      bytes[at] = strip[at + 2] as number
      bytes[at + 1] = strip[at + 1] as number
      bytes[at + 2] = strip[at] as number
      bytes[at + 3] = strip[at + 3] as number
    }
    parts.push(new Blob([bytes]))
  })
  return new Blob(parts, { type: 'image/bmp' })
}

function header(width: number, height: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(headerBytes))
  const imageBytes = width * height * 4
  view.setUint16(0, 0x424d)
  view.setUint32(2, headerBytes + imageBytes, true)
  view.setUint32(10, headerBytes, true)
  view.setUint32(14, 108, true)
  view.setInt32(18, width, true)
  // A negative height: the first row is the top one.
  view.setInt32(22, -height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 32, true)
  view.setUint32(30, bitFields, true)
  view.setUint32(34, imageBytes, true)
  view.setInt32(38, pixelsPerMetre, true)
  view.setInt32(42, pixelsPerMetre, true)
  const masks = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000]
  for (const [index, mask] of masks.entries()) view.setUint32(54 + 4 * index, mask, true)
  // Colour space sRGB.
  view.setUint32(70, 0x73524742, true)
  return view.buffer
}

/** Longest side of an icon in pixels. */
export const largestIcon = 256

/** An icon with one image, as PNG. */
export function icoFile(width: number, height: number, png: Blob): Blob {
  const view = new DataView(new ArrayBuffer(22))
  view.setUint16(2, 1, true)
  view.setUint16(4, 1, true)
  // 256 is written as 0.
  view.setUint8(6, width % largestIcon)
  view.setUint8(7, height % largestIcon)
  view.setUint16(10, 1, true)
  view.setUint16(12, 32, true)
  view.setUint32(14, png.size, true)
  view.setUint32(18, 22, true)
  return new Blob([view.buffer, png], { type: 'image/x-icon' })
}
