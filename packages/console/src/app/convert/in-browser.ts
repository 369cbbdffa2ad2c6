import type { BrowserOptions } from '@kiln/browser'
import { browserTargets } from '@kiln/browser/targets'
import type { OptionValues } from '../../shared/parts/options-form.tsx'

// Conversions that run in the browser. The front page asks here, and nowhere else, whether a file can be converted
// without the server; such files never leave the computer. The code that converts is loaded with the first file.

export { browserTargets }

export interface BrowserProgress {
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Several PDFs are merged. Throws an Error whose message starts with a stable word, as the errors of jobs do. */
export async function convertInBrowser(
  files: readonly File[],
  to: string,
  values: OptionValues,
  progress: BrowserProgress,
): Promise<Blob> {
  const { BrowserConversionError, convertInBrowser } = await import('@kiln/browser')
  try {
    const rotate = values.rotate === undefined ? {} : { rotate: Number(values.rotate) }
    return await convertInBrowser(files, to, { ...(values as BrowserOptions), ...rotate, ...progress })
  } catch (failure) {
    if (failure instanceof BrowserConversionError) throw new Error(`${failure.code}: ${failure.message}`)
    throw failure
  }
}
