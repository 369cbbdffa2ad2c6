import type { Counts, LeftOutKind, MediaStreamFate, RecognizedText, TextEncoding } from '@kiln/contract'

// The findings of the steps of a conversion, for the report. Each step adds what it has at hand; nothing is computed
// only for the report if that would delay the conversion.

export interface Findings {
  /** The engine's version, as the engine reports it while it runs. */
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
  /** Content that reading the source counted as omitted, but that the output contains. */
  kept?: Partial<Record<LeftOutKind, number>>
  streams?: readonly MediaStreamFate[]
  /** Sentences of an engine about anything else. */
  remarks?: readonly string[]
}

export type Note = (findings: Findings) => void

export interface FindingsCollector {
  note: Note
  readonly all: Findings
}

/** Later counts replace earlier ones; lists grow. */
export function createFindings(): FindingsCollector {
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
