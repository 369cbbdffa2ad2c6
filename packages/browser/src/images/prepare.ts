import { BrowserConversionError, damaged } from '../failure.ts'
import type { ConversionRequest } from '../request.ts'
import { checkSize, declaredSize } from './declared-size.ts'

// An image element reads the size of an image without decoding it, in every format that the browser supports. An SVG in
// an image element runs no script and loads nothing.

/** A browser takes a file for an SVG by its media type alone. */
const mediaTypes: Readonly<Record<string, string>> = {
  cur: 'image/x-icon',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
}

/** Decoded by a library in the worker, which measures them itself. */
const unknownToBrowsers: ReadonlySet<string> = new Set(['heic', 'tiff'])

export async function prepare(request: ConversionRequest): Promise<ConversionRequest> {
  const { files, source } = request
  if (unknownToBrowsers.has(source)) return request
  const file = files[0] as Blob
  const typed = file.slice(0, file.size, mediaTypes[source] ?? `image/${source}`)
  const image = await loadImage(typed, source)
  return source === 'svg' ? { ...request, bitmap: await decodeOnPage(image) } : { ...request, files: [typed] }
}

/** Loads an image and checks its size. */
async function loadImage(file: Blob, format: string): Promise<HTMLImageElement> {
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

/** Draws an SVG in the size that it declares: workers cannot. */
async function decodeOnPage(element: HTMLImageElement): Promise<ImageBitmap> {
  if (element.naturalWidth === 0 || element.naturalHeight === 0) {
    throw new BrowserConversionError('unsupported', 'The SVG does not declare its width and height.')
  }
  try {
    return await createImageBitmap(element)
  } catch {
    // The browser's error does not say which file was wrong.
    throw damaged('svg')
  }
}
