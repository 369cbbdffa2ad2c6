import type { Pair } from '../catalog/pairs.ts'
import type { Findings } from '../report/findings.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { Declared } from './declared-pdf.ts'
import type { PdfReader } from './pdf-reader.ts'
import type { Shown } from './source/shows.ts'

export interface CheckContext {
  sandbox: Sandbox
  inThread: InThread
  sourcePath: string
  /** The visible content of the source; empty when it cannot be read. */
  source: Promise<Shown>
  /** Only a part of the source was asked for: its words need not be there. */
  isPart: boolean
  /** Reads a PDF; undefined where none is made. */
  reader: Promise<PdfReader> | undefined
  /** The conformance that the PDF was asked to declare. */
  declared: Declared
  signal: AbortSignal
}

/** Returns the findings. Throws when the file is not what the pair promises. */
export type Check = (path: string, pair: Pair, context: CheckContext) => Promise<Findings>
