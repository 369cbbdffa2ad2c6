import { damaged } from '../failure.ts'
import type { ConversionRequest } from '../request.ts'
import { encodeImage } from './encode.ts'

/** Formats of photographs, which are compressed with loss in a PDF too. */
const photographs: ReadonlySet<string> = new Set(['jpg', 'webp', 'avif', 'heic'])

export async function convert(
  { files, bitmap, source, to, quality }: ConversionRequest,
  onProgress: (fraction: number) => void,
): Promise<Blob> {
  onProgress(0.1)
  const decoded = bitmap ?? (await decode(files[0] as Blob, source))
  onProgress(0.4)
  return encodeImage(decoded, {
    to,
    quality,
    isPhotograph: photographs.has(source),
    onProgress: (fraction) => onProgress(0.4 + 0.6 * fraction),
  })
}

async function decode(file: Blob, source: string): Promise<ImageBitmap> {
  if (source === 'heic') {
    const { decodeHeic } = await import('./decoders/heic.ts')
    return createImageBitmap(await decodeHeic(file))
  }
  if (source === 'tiff') {
    const { decodeTiff } = await import('./decoders/tiff.ts')
    return createImageBitmap(await decodeTiff(file))
  }
  try {
    return await createImageBitmap(file)
  } catch {
    // The browser's error does not say which file was wrong.
    throw damaged(source)
  }
}
