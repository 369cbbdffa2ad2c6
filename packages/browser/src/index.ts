import { BrowserConversionError } from './failure.ts'
import { decodeOnPage, loadImage } from './images/load.ts'
import { runInWorker } from './run-in-worker.ts'
import { browserTargets, formatNamed, mediaTypeOf } from './targets.ts'

export { BrowserConversionError, type BrowserFailureCode } from './failure.ts'
export { maxBytes, maxPixels } from './limits.ts'
export { type BrowserTarget, browserTargets } from './targets.ts'

export interface BrowserOptions {
  /** Source format; otherwise the extension of the file name. */
  from?: string
  /** Quality of jpg, webp and of photographs in a pdf, from 0 to 1. */
  quality?: number
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/**
 * Converts a file without sending it anywhere. Conversions run one after another, each in a new worker, so that only
 * one image is in memory at a time. Rejects with a BrowserConversionError, or with the reason of the signal.
 */
export async function convertInBrowser(file: File, to: string, options: BrowserOptions = {}): Promise<Blob> {
  const source = formatNamed(options.from ?? file.name.split('.').at(-1) ?? '')
  const target = formatNamed(to)
  if (!browserTargets(source).some((each) => each.to === target)) {
    throw new BrowserConversionError('unsupported', `The browser does not convert ${source} to ${target}.`)
  }
  const { signal } = options
  const conversion = inTurn(() => convertImage(file, source, target, options))
  return signal ? Promise.race([conversion, rejectOnAbort(signal, conversion)]) : conversion
}

async function convertImage(file: File, source: string, to: string, options: BrowserOptions): Promise<Blob> {
  const { quality = 0.92, signal, onProgress } = options
  signal?.throwIfAborted()
  // A browser takes a file for an SVG by its media type alone.
  const typed = file.slice(0, file.size, mediaTypeOf(source))
  const image = await loadImage(typed, source)
  // Workers cannot draw SVG.
  const input = source === 'svg' ? await decodeOnPage(image) : typed
  signal?.throwIfAborted()
  const isPhotograph = source === 'jpg' || source === 'webp' || source === 'avif'
  return runInWorker({ input, source, to, quality, isPhotograph }, { signal, onProgress })
}

let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = last.then(task)
  last = result.catch(() => {})
  return result
}

/** Also rejects a conversion that waits for its turn. */
function rejectOnAbort(signal: AbortSignal, conversion: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    conversion.finally(() => signal.removeEventListener('abort', abort)).catch(() => {})
  })
}
