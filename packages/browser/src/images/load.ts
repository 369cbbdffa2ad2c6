import { BrowserConversionError, damaged } from '../failure.ts'
import { maxBytes, maxPixels, maxSide } from '../limits.ts'
import { declaredSize, type Size } from './declared-size.ts'

// An image element reads the size of an image without decoding it, in every format that the browser knows. An SVG in an
// image element runs no script and loads nothing.

/** Loads an image and checks its size. */
export async function loadImage(file: Blob, format: string): Promise<HTMLImageElement> {
  if (file.size > maxBytes) {
    throw new BrowserConversionError('too-large', `The file is larger than ${maxBytes / 1024 / 1024} MB.`)
  }
  const declared = await declaredSize(file)
  if (declared) checkSize(declared)
  const url = URL.createObjectURL(file)
  try {
    const element = await loadFrom(url, format)
    checkSize({ width: element.naturalWidth, height: element.naturalHeight })
    return element
  } finally {
    URL.revokeObjectURL(url)
  }
}

function loadFrom(url: string, format: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const element = new Image()
    element.onload = () => resolve(element)
    element.onerror = () => reject(damaged(format))
    element.src = url
  })
}

function checkSize({ width, height }: Size): void {
  if (width * height > maxPixels || width > maxSide || height > maxSide) {
    const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`
    throw new BrowserConversionError(
      'too-large',
      `The image has ${size} pixels. A browser converts up to ${maxPixels / 1_000_000} million pixels.`,
    )
  }
}

/** Draws an SVG in the size that it declares. */
export async function decodeOnPage(element: HTMLImageElement): Promise<ImageBitmap> {
  if (element.naturalWidth === 0 || element.naturalHeight === 0) {
    throw new BrowserConversionError('unsupported', 'The SVG does not declare its width and height.')
  }
  try {
    return await createImageBitmap(element)
  } catch {
    throw damaged('svg')
  }
}
