// Findings of the converter for the sender of the file. One shape for all engines: a field that does not apply to a
// pair is null or an empty list. Lists are short; `more` is the number of further entries of each.

export interface Report {
  jobId: string
  status: 'done' | 'failed'
  pair: string
  /** Null where no engine has worked on the file. */
  engine: { name: string; version: string | null } | null
  /** Duration of the conversion, without upload, waiting and download. */
  seconds: number | null
  input: Counts
  output: Counts
  /** Null for files that are not text. */
  encoding: TextEncoding | null
  fonts: ReplacedFont[]
  recognized: RecognizedText | null
  leftOut: LeftOut[]
  streams: MediaStreamFate[]
  /** Sentences: what to look at before the output is used. */
  warnings: string[]
  more: { fonts: number; leftOut: number; streams: number; warnings: number }
}

/** Null: not counted, or no such thing in this format. */
export interface Counts {
  bytes: number | null
  pages: number | null
  words: number | null
  pictures: number | null
  /** Length of a video. */
  seconds: number | null
}

export const encodingSources = ['byte-order-mark', 'declared', 'detected', 'option'] as const

/** The character encoding that a text file was read in. */
export interface TextEncoding {
  /** As in the Encoding Standard, such as `shift_jis`. */
  name: string
  /** 0 to 1. */
  confidence: number
  by: (typeof encodingSources)[number]
}

export const widthFits = ['same', 'near', 'other'] as const

/** A font that the document asks for and that is not there. */
export interface ReplacedFont {
  font: string
  /** Null where several fonts took its place. */
  by: string | null
  /** Are the letters as wide as those of the font that was asked for? Where they are, every line breaks as it did. */
  widths: (typeof widthFits)[number]
}

/** Text that was read from pictures of pages. */
export interface RecognizedText {
  /** Such as `1-3, 7`. */
  pages: string
  count: number
  /** As Tesseract calls them, such as `eng`. */
  languages: string[]
  /** Mean over the words that were kept, 0 to 1. */
  confidence: number | null
}

export const leftOutKinds = [
  'macros',
  'scripts',
  'remote-pictures',
  'remote-styles',
  'frames',
  'missing-pictures',
  'objects',
  'sheets',
  'slides',
  'media',
  'video-tracks',
  'subtitles',
  'sound-tracks',
  'covers',
  'data-streams',
  'markup',
] as const
export type LeftOutKind = (typeof leftOutKinds)[number]

export interface LeftOut {
  what: LeftOutKind
  count: number
}

export const streamKinds = ['video', 'audio', 'subtitle', 'cover', 'data'] as const
export const streamFates = ['copied', 'encoded', 'left-out'] as const

export interface MediaStreamFate {
  kind: (typeof streamKinds)[number]
  codec: string
  fate: (typeof streamFates)[number]
  /** The codec that it was encoded in. */
  as: string | null
}

/** The part of the report that the converter fills in: it has no jobs. */
export type ConversionReport = Omit<Report, 'jobId' | 'status' | 'pair'>
