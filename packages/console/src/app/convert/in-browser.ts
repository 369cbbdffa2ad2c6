// Conversions that run in the browser. The front page asks here, and nowhere else, whether a file can be converted
// without the server; such files never leave the computer. packages/browser is to fill this in.

export interface BrowserTarget {
  /** Format name, such as `png`. */
  to: string
  label: string
  extension: string
}

export interface BrowserProgress {
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** What a file of this format can become in the browser. */
export const browserTargets = (_from: string): BrowserTarget[] => []

/** Converts in the browser. Throws an Error whose message is for the user. */
export function convertInBrowser(_file: File, to: string, _progress: BrowserProgress): Promise<Blob> {
  return Promise.reject(new Error(`This browser cannot convert the file to ${to}.`))
}
