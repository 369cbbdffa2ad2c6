import { BrowserConversionError } from './failure.ts'
import { maxBytes } from './limits.ts'
import type { ConversionRequest } from './request.ts'
import { runInWorker } from './run-in-worker.ts'
import { browserTargets, familyOf, formatNamed } from './targets.ts'

export { BrowserConversionError, type BrowserFailureCode } from './failure.ts'
export { maxBytes, maxPixels } from './limits.ts'
export { type BrowserTarget, browserTargets } from './targets.ts'

export interface BrowserOptions {
  /** Source format; otherwise the extension of the file name. */
  from?: string
  /** Quality of formats with loss, from 0 to 1. */
  quality?: number
  /** Password of an encrypted archive or PDF. */
  password?: string
  /** Pages of a PDF, such as `1-3, 5, 8-`; all unless given. */
  pages?: string
  /** Turns the pages of a PDF clockwise, in steps of 90 degrees. */
  rotate?: number
  /** A zip with a PDF of each page. */
  split?: boolean
  /** Makes the images of a PDF smaller. */
  compress?: boolean
  /** Resolution of page images; 150 by default. */
  dpi?: number
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/**
 * Converts a file without sending it anywhere; several PDFs become one. Conversions run one after another, each in a new worker, so that only
 * one file is in memory at a time. Rejects with a BrowserConversionError, or with the reason of the signal.
 */
export async function convertInBrowser(
  input: File | readonly File[],
  to: string,
  options: BrowserOptions = {},
): Promise<Blob> {
  const files = input instanceof File ? [input] : [...input]
  const [file] = files
  if (!file) throw new BrowserConversionError('invalid-options', 'There is no file to convert.')
  const source = formatNamed(options.from ?? file.name.split('.').at(-1) ?? '')
  const target = formatNamed(to)
  const family = familyOf(source)
  if (!family || !browserTargets(source).some((each) => each.to === target)) {
    throw new BrowserConversionError('unsupported', `The browser does not convert ${source} to ${target}.`)
  }
  if (files.length > 1 && (source !== 'pdf' || target !== 'pdf')) {
    throw new BrowserConversionError('unsupported', 'Several files can only be merged when they are PDFs.')
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > maxBytes) {
    throw new BrowserConversionError('too-large', `The file is larger than ${maxBytes / 1024 / 1024} MB.`)
  }
  const { signal, onProgress, from: _, quality = 0.92, ...rest } = options
  const request = { ...rest, family, files, source, to: target, quality }
  const conversion = inTurn(async () => {
    signal?.throwIfAborted()
    const prepared = family === 'image' ? await prepareImage(request) : request
    signal?.throwIfAborted()
    return runInWorker(prepared, { signal, onProgress })
  })
  return signal ? Promise.race([conversion, rejectOnAbort(signal, conversion)]) : conversion
}

/** Steps that are only possible on a page: measuring an image before it is decoded, and drawing an SVG. */
async function prepareImage(request: ConversionRequest): Promise<ConversionRequest> {
  const { prepare } = await import('./images/prepare.ts')
  return prepare(request)
}

let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = last.then(task)
  // The caller gets the error; the next task must not.
  last = result.catch(() => {})
  return result
}

/** Also rejects a conversion that waits for its turn. */
function rejectOnAbort(signal: AbortSignal, conversion: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    // The race above rejects with the same error.
    conversion.finally(() => signal.removeEventListener('abort', abort)).catch(() => {})
  })
}
