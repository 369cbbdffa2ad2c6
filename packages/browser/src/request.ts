import type { BrowserFailureCode } from './failure.ts'
import type { Family } from './targets.ts'

/** A request to a worker. */
export interface ConversionRequest {
  family: Family
  /** One file, or the PDFs to merge. */
  files: Blob[]
  source: string
  to: string
  quality: number
  /** An SVG, drawn by the page because workers cannot. */
  bitmap?: ImageBitmap
  password?: string | undefined
  pages?: string | undefined
  rotate?: number | undefined
  split?: boolean | undefined
  compress?: boolean | undefined
  dpi?: number | undefined
}

export type WorkerReply =
  | { progress: number }
  | { output: Blob }
  | { failure: { code: BrowserFailureCode; message: string } }

export type Convert = (request: ConversionRequest, onProgress: (fraction: number) => void) => Promise<Blob>
