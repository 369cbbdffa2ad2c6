import { BrowserConversionError } from '../failure.ts'
import { maxPixels, maxSide } from '../limits.ts'

// The size that the header of an image declares. Browsers report an image beyond their own limits as damaged; with the
// declared size the message can say what is wrong. Other formats than these cannot declare such a size, or are
// measured by the browser.

export interface Size {
  width: number
  height: number
}

/** Enough for the metadata before the frame header of most JPEG files. */
const headBytes = 512 * 1024

/** Null when the header is of another format, or is cut off. */
export async function declaredSize(file: Blob): Promise<Size | null> {
  const view = new DataView(await file.slice(0, headBytes).arrayBuffer())
  if (view.byteLength < 26) return null
  const start = view.getUint32(0)
  if (start === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (start === 0x47494638) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (start >>> 16 === 0x424d) {
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }
  }
  return start >>> 16 === 0xffd8 ? jpegSize(view) : null
}

/** Goes from segment to segment until the frame header. */
function jpegSize(view: DataView): Size | null {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    // Fill bytes may precede a marker.
    if (marker === 0xff) at++
    else if (isFrameHeader(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    else at += 2 + view.getUint16(at + 2)
  }
  return null
}

/** SOF0 to SOF15, without the tables DHT (C4), JPG (C8) and DAC (CC). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

export function checkSize({ width, height }: Size): void {
  if (width * height > maxPixels || width > maxSide || height > maxSide) {
    const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`
    throw new BrowserConversionError(
      'too-large',
      `The image has ${size} pixels. A browser converts up to ${maxPixels / 1_000_000} million pixels.`,
    )
  }
}
