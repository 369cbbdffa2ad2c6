import { browserTargets } from '@kiln/browser/targets'

// Conversions that run in the browser. The front page asks here, and nowhere else, whether a file can be converted
// without the server; such files never leave the computer. The code that converts is loaded with the first file.

export { browserTargets }

export interface BrowserProgress {
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Throws an Error whose message starts with a stable word, as the errors of jobs do. */
export async function convertInBrowser(file: File, to: string, progress: BrowserProgress): Promise<Blob> {
  const { BrowserConversionError, convertInBrowser } = await import('@kiln/browser')
  try {
    return await convertInBrowser(file, to, progress)
  } catch (failure) {
    if (failure instanceof BrowserConversionError) throw new Error(`${failure.code}: ${failure.message}`)
    throw failure
  }
}
