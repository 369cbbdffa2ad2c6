import { type Box, height, width } from '../geometry.ts'
import { pointsPerInch } from '../typography.ts'
import { matrixOf, type PlacedImage } from './drawings.ts'
import { jpegShape } from './jpeg.ts'
import { limits } from './limits.ts'
import type { Picture } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { type Bitmap, encodePng } from './png.ts'
import type { Matrix } from './transform.ts'

export type Encoded = Pick<Picture, 'format' | 'bytes'>

/** A higher resolution than print needs only adds size. */
const dotsPerInch = 220
/** Maximum size of a picture's data in the file, in bytes. */
const largestJpeg = 60_000_000
/** White after rounding, of 255. */
const nearlyOpaque = 250
/** A picture may have this many times the pixels that are kept of it. */
const timesScaledDown = 4
/** Tolerance for the elements of a matrix: smaller values are not a rotation. */
const rounding = 0.01
/** Many programs display CMYK JPEGs incorrectly. */
const channelsOfPrint = 4
/** PDFium constants: bitmap formats, fill colours and rendering flags. */
const ofGrey = 1
const withAlpha = 4
const transparentWhite = 0x00ffffff
const opaqueWhite = 0xffffffff
const withAnnotations = 0x01

/** Copies a PDFium bitmap as BGRA. */
function copyBitmap(pdfium: Pdfium, bitmap: number): Bitmap | undefined {
  const { call } = pdfium
  const w = call.FPDFBitmap_GetWidth(bitmap)
  const h = call.FPDFBitmap_GetHeight(bitmap)
  const stride = call.FPDFBitmap_GetStride(bitmap)
  const format = call.FPDFBitmap_GetFormat(bitmap)
  const from = call.FPDFBitmap_GetBuffer(bitmap)
  const step = format === 1 ? 1 : format === 2 ? 3 : 4
  if (!from || w < 1 || h < 1) return undefined
  const source = pdfium.bytes(from, stride * h)
  const pixels = new Uint8Array(w * h * 4)
  for (let y = 0, to = 0; y < h; y++) {
    // Copying whole rows takes a fraction of the time; all that PDFium paints has four bytes per pixel.
    if (step === 4) pixels.set(source.subarray(y * stride, y * stride + 4 * w), to)
    for (let x = 0, at = y * stride; x < w; x++, at += step, to += 4) {
      if (step < 4) {
        pixels[to] = source[at] as number
        pixels[to + 1] = source[step === 1 ? at : at + 1] as number
        pixels[to + 2] = source[step === 1 ? at : at + 2] as number
      }
      if (format !== withAlpha) pixels[to + 3] = 255
    }
  }
  return { width: w, height: h, pixels }
}

function rawJpeg(pdfium: Pdfium, object: number): Uint8Array | undefined {
  const { call } = pdfium
  if (call.FPDFImageObj_GetImageFilterCount(object) !== 1) return undefined
  const filter = pdfium.narrow((buffer, size) => call.FPDFImageObj_GetImageFilter(object, 0, buffer, size))
  if (filter !== 'DCTDecode') return undefined
  const size = call.FPDFImageObj_GetImageDataRaw(object, 0, 0)
  if (size <= 0 || size > largestJpeg) return undefined
  const buffer = pdfium.allocate(size)
  try {
    call.FPDFImageObj_GetImageDataRaw(object, buffer, size)
    return pdfium.bytes(buffer, size).slice()
  } finally {
    pdfium.free(buffer)
  }
}

function rendered(
  pdfium: Pdfium,
  document: number,
  page: number,
  object: number,
  matrix: Matrix,
): Bitmap | undefined {
  const { call } = pdfium
  const own = matrixOf(pdfium, object)
  if (!own) return undefined
  call.FPDFImageObj_SetMatrix(object, ...matrix)
  const bitmap = call.FPDFImageObj_GetRenderedBitmap(document, page, object)
  call.FPDFImageObj_SetMatrix(object, ...own)
  if (!bitmap) return undefined
  try {
    return copyBitmap(pdfium, bitmap)
  } finally {
    call.FPDFBitmap_Destroy(bitmap)
  }
}

const isOpaque = (bitmap: Bitmap): boolean => {
  for (let i = 3; i < bitmap.pixels.length; i += 4)
    if ((bitmap.pixels[i] as number) < nearlyOpaque) return false
  return true
}

interface PixelSize {
  width: number
  height: number
}

export function pixelSize({ call, scratch: s, int }: Pdfium, object: number): PixelSize | undefined {
  return call.FPDFImageObj_GetImagePixelSize(object, s, s + 4)
    ? { width: int(s), height: int(s + 4) }
    : undefined
}

const isTooLarge = ({ width, height }: PixelSize): boolean =>
  width * height > limits.pixelsPerPicture * timesScaledDown

/** A picture of which only the position is needed is not rendered. */
export function unpaintedImage(pdfium: Pdfium, { object }: PlacedImage): Encoded | undefined {
  const pixels = pixelSize(pdfium, object)
  if (!pixels || isTooLarge(pixels)) return undefined
  return { format: 'png', bytes: new Uint8Array(0) }
}

/** Size of the picture's data in the file, in bytes. */
export const packedSize = ({ call }: Pdfium, { object }: PlacedImage): number =>
  call.FPDFImageObj_GetImageDataRaw(object, 0, 0)

/** The picture as it appears on the page. JPEG data is copied unchanged if no transformation applies. */
export function encodeImage(
  pdfium: Pdfium,
  document: number,
  page: number,
  image: PlacedImage,
): Encoded | undefined {
  const m = image.matrix
  const wide = Math.max(1, Math.hypot(m[0], m[1]))
  const tall = Math.max(1, Math.hypot(m[2], m[3]))
  const natural = pixelSize(pdfium, image.object) ?? { width: wide, height: tall }
  if (isTooLarge(natural)) return undefined
  const upright = Math.abs(m[1]) < rounding * wide && Math.abs(m[2]) < rounding * tall && m[0] > 0 && m[3] < 0
  const small: Matrix = [wide, 0, 0, tall, 0, 0]
  if (upright) {
    const data = rawJpeg(pdfium, image.object)
    const shape = data && jpegShape(data)
    if (data && shape && shape.channels !== channelsOfPrint) {
      const look = rendered(pdfium, document, page, image.object, small)
      if (look && isOpaque(look)) return { format: 'jpeg', bytes: data }
    }
  }
  const box = image.box
  const maxWidth = Math.min(
    (dotsPerInch / pointsPerInch) * Math.max(width(box), 1),
    Math.sqrt(limits.pixelsPerPicture),
  )
  const scale = Math.max(
    1,
    Math.min(Math.max(natural.width / wide, natural.height / tall), maxWidth / Math.max(width(box), 1)),
  )
  const bitmap = rendered(pdfium, document, page, image.object, [
    m[0] * scale,
    -m[1] * scale,
    m[2] * scale,
    -m[3] * scale,
    0,
    0,
  ])
  if (!bitmap) return undefined
  return { format: 'png', bytes: encodePng(bitmap) }
}

/** Renders a part of the page at `scale` pixels per point. */
export const drawRegion = (pdfium: Pdfium, page: number, box: Box, scale: number): Bitmap | undefined =>
  painted(pdfium, page, { box, scale, format: withAlpha, paper: transparentWhite }, (bitmap) =>
    copyBitmap(pdfium, bitmap),
  )

/** The same in greyscale on white paper: one byte per pixel. */
export const drawGreyRegion = (pdfium: Pdfium, page: number, box: Box, scale: number): Bitmap | undefined =>
  painted(pdfium, page, { box, scale, format: ofGrey, paper: opaqueWhite }, (bitmap) => {
    const { call } = pdfium
    const [width, height] = [call.FPDFBitmap_GetWidth(bitmap), call.FPDFBitmap_GetHeight(bitmap)]
    const stride = call.FPDFBitmap_GetStride(bitmap)
    const source = pdfium.bytes(call.FPDFBitmap_GetBuffer(bitmap), stride * height)
    const pixels = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) pixels.set(source.subarray(y * stride, y * stride + width), y * width)
    return { width, height, pixels }
  })

function painted<T>(
  pdfium: Pdfium,
  page: number,
  { box, scale, format, paper }: { box: Box; scale: number; format: number; paper: number },
  take: (bitmap: number) => T | undefined,
): T | undefined {
  const { call } = pdfium
  const w = Math.max(1, Math.round(width(box) * scale))
  const h = Math.max(1, Math.round(height(box) * scale))
  if (w * h > limits.pixelsPerPicture) return undefined
  const bitmap = call.FPDFBitmap_CreateEx(w, h, format, 0, 0)
  if (!bitmap) return undefined
  const buffer = pdfium.allocate(48)
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, w, h, paper)
    // The matrix is applied after PDFium's page-to-device matrix, which is upright at 1 pixel per point.
    const view = new DataView(pdfium.bytes(buffer, 48).buffer, buffer, 48)
    const values = [scale, 0, 0, scale, -box.x0 * scale, -box.y0 * scale]
    for (const [i, v] of values.entries()) view.setFloat32(i * 4, v, true)
    for (const [i, v] of [0, 0, w, h].entries()) view.setFloat32(24 + i * 4, v, true)
    call.FPDF_RenderPageBitmapWithMatrix(bitmap, page, buffer, buffer + 24, withAnnotations)
    return take(bitmap)
  } finally {
    pdfium.free(buffer)
    call.FPDFBitmap_Destroy(bitmap)
  }
}
