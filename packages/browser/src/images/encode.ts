import { BrowserConversionError } from '../failure.ts'
import { bmpFile, icoFile, largestIcon } from './bmp.ts'
import { pdfFile } from './pdf.ts'
import type { Pixels } from './pixels.ts'

export interface EncodeOptions {
  to: string
  quality: number
  isPhotograph: boolean
  onProgress: (fraction: number) => void
}

const canvasTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** Formats without transparency get a white background. */
const opaqueFormats: ReadonlySet<string> = new Set(['jpg', 'pdf'])

export async function encodeImage(bitmap: ImageBitmap, options: EncodeOptions): Promise<Blob> {
  const { to, quality, isPhotograph, onProgress } = options
  const scale = to === 'ico' ? Math.min(1, largestIcon / Math.max(bitmap.width, bitmap.height)) : 1
  const { canvas, context } = drawScaled(bitmap, scale, opaqueFormats.has(to))
  const { width, height } = canvas
  const pixels: Pixels = {
    width,
    height,
    rows: (first, count) => context.getImageData(0, first, width, count).data,
  }
  switch (to) {
    case 'bmp':
      return bmpFile(pixels, onProgress)
    case 'ico':
      return icoFile(width, height, await encoded(canvas, 'png', quality))
    case 'pdf':
      return pdfFile(pixels, isPhotograph ? await encoded(canvas, 'jpg', quality) : null, onProgress)
    case 'tiff':
      return (await import('./encoders/tiff.ts')).tiffFile(context.getImageData(0, 0, width, height))
    case 'gif':
      return (await import('./encoders/gif.ts')).gifFile(context.getImageData(0, 0, width, height))
    case 'avif':
      return (await import('./encoders/avif.ts')).avifFile(context.getImageData(0, 0, width, height), quality)
    default:
      return encoded(canvas, to, quality)
  }
}

export function drawScaled(bitmap: ImageBitmap, scale: number, isOpaque: boolean) {
  const width = Math.max(1, Math.round(bitmap.width * scale))
  const height = Math.max(1, Math.round(bitmap.height * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new BrowserConversionError('internal', 'The browser lacks memory for this image.')
  if (isOpaque) {
    context.fillStyle = 'white'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  return { canvas, context }
}

async function encoded(canvas: OffscreenCanvas, to: string, quality: number): Promise<Blob> {
  const type = canvasTypes[to] as string
  const blob = await canvas.convertToBlob({ type, quality })
  // A browser that does not support the format writes PNG instead.
  if (blob.type !== type) {
    throw new BrowserConversionError('unsupported', `This browser does not write ${to} files.`)
  }
  return blob
}
