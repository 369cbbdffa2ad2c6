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
