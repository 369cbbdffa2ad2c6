import { applyPalette, GIFEncoder, quantize } from 'gifenc'

const opaqueFrom = 128
const maxColours = 256

/** One frame with up to 256 colours. A pixel of a GIF is opaque or transparent. */
export function gifFile({ data, width, height }: ImageData): Blob {
  const isTransparent = data.some((value, index) => index % 4 === 3 && value < opaqueFrom)
  const format = isTransparent ? 'rgba4444' : 'rgb565'
  const palette = quantize(data, maxColours, { format, oneBitAlpha: isTransparent })
  const indexes = applyPalette(data, palette, format)
  const transparentIndex = palette.findIndex((colour) => colour[3] === 0)
  const encoder = GIFEncoder()
  const transparency = transparentIndex < 0 ? {} : { transparent: true, transparentIndex }
  encoder.writeFrame(indexes, width, height, { palette, ...transparency })
  encoder.finish()
  return new Blob([encoder.bytes()], { type: 'image/gif' })
}
