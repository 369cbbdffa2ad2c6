import type { Counts, LeftOutKind, MediaStreamFate, RecognizedText, TextEncoding } from '@kiln/contract'

// What the steps of a conversion find on their way, for the report. Each step tells what it knows anyway; nothing is
// read or computed for the report that would make anybody wait.

export interface Findings {
  /** The engine's version, as the engine tells it while it works. */
  version?: string
  input?: Partial<Counts>
  output?: Partial<Counts>
  /** The input is encrypted in a form that decrypt-input.ts handles. */
  isEncrypted?: boolean
  encoding?: TextEncoding
  /** Characters of the source that do not exist in its encoding. */
  undecodable?: number
  /** Fonts that the document names for text that it shows. */
  askedFonts?: readonly string[]
  /** Fonts in the output, by their PostScript names. */
  usedFonts?: readonly string[]
  recognized?: RecognizedText
  leftOut?: Partial<Record<LeftOutKind, number>>
  /** What the look at the source takes for lost, and the output has after all. */
  kept?: Partial<Record<LeftOutKind, number>>
  streams?: readonly MediaStreamFate[]
  /** Sentences of an engine that nothing above says. */
  remarks?: readonly string[]
}

export type Note = (findings: Findings) => void

export interface Notebook {
  note: Note
  readonly all: Findings
}

/** Later counts replace earlier ones; lists grow. */
export function createFindings(): Notebook {
  const all: Findings = {}
  return {
    all,
    note({ input, output, askedFonts, usedFonts, leftOut, streams, remarks, ...single }) {
      Object.assign(all, single)
      if (input) all.input = { ...all.input, ...input }
      if (output) all.output = { ...all.output, ...output }
      if (leftOut) all.leftOut = { ...all.leftOut, ...leftOut }
      if (askedFonts) all.askedFonts = [...(all.askedFonts ?? []), ...askedFonts]
      if (usedFonts) all.usedFonts = [...(all.usedFonts ?? []), ...usedFonts]
      if (streams) all.streams = [...(all.streams ?? []), ...streams]
      if (remarks) all.remarks = [...(all.remarks ?? []), ...remarks]
    },
  }
}
