import {
  type ConversionReport,
  type Counts,
  type LeftOut,
  type LeftOutKind,
  leftOutKinds,
} from '@kiln/contract'
import type { Findings } from './findings.ts'
import { replacedFonts } from './replaced-fonts.ts'
import { warningsOf } from './warnings.ts'

// The findings of a conversion as its report. Much of it comes out of the user's file or of an engine that has read it:
// names are bounded and hold no control characters, figures are whole and not below zero, lists are short.

const maxEntries = 20
const longestName = 80
const longestSentence = 400

export interface Ran {
  engine: string
  milliseconds: number
  inputBytes: number | null
  outputBytes: number | null
  /** Content that an option asked to omit. */
  unwanted: readonly LeftOutKind[]
}

export function makeReport(untrusted: Findings, ran: Ran): ConversionReport {
  const fonts = replacedFonts(untrusted.askedFonts ?? [], untrusted.usedFonts ?? []).map(
    ({ font, by, widths }) => ({ font: plainText(font), by: by === null ? null : plainText(by), widths }),
  )
  const leftOut = leftOutKinds.flatMap((what): LeftOut[] => {
    const kept = wholeNumber(untrusted.kept?.[what]) ?? 0
    const count = Math.max(0, (wholeNumber(untrusted.leftOut?.[what]) ?? 0) - kept)
    return count ? [{ what, count }] : []
  })
  const streams = (untrusted.streams ?? []).map(({ kind, codec, fate, as }) => ({
    kind,
    codec: plainText(codec),
    fate,
    as: as === null ? null : plainText(as),
  }))
  const recognized = boundRecognized(untrusted.recognized)
  const encoding = boundEncoding(untrusted.encoding)
  const undecodable = wholeNumber(untrusted.undecodable) ?? 0
  const missed = leftOut.filter(({ what }) => !ran.unwanted.includes(what))
  const warnings = [
    ...warningsOf({ encoding, undecodable, fonts, recognized, leftOut: missed }),
    ...(untrusted.remarks ?? []),
  ].map((each) => plainText(each, longestSentence))
  const version = untrusted.version === undefined ? null : plainText(untrusted.version)
  return {
    engine: { name: ran.engine, version: version || null },
    seconds: Math.round(ran.milliseconds) / 1000,
    input: boundCounts({ ...untrusted.input, bytes: ran.inputBytes }),
    output: boundCounts({ ...untrusted.output, bytes: ran.outputBytes }),
    encoding,
    recognized,
    fonts: first(fonts),
    leftOut: first(leftOut),
    streams: first(streams),
    warnings: first(warnings),
    more: { fonts: more(fonts), leftOut: more(leftOut), streams: more(streams), warnings: more(warnings) },
  }
}

const first = <T>(list: readonly T[]): T[] => list.slice(0, maxEntries)
const more = (list: readonly unknown[]): number => Math.max(0, list.length - maxEntries)

/** One line without control characters, marks that turn the direction of writing, or halves of characters. */
function plainText(untrusted: string, longest = longestName): string {
  const text = untrusted
    .slice(0, 4 * longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

const wholeNumber = (untrusted: unknown): number | null =>
  typeof untrusted === 'number' && Number.isSafeInteger(untrusted) && untrusted >= 0 ? untrusted : null

function boundCounts(untrusted: Partial<Counts>): Counts {
  const { bytes, pages, words, pictures, seconds } = untrusted
  const isLength = typeof seconds === 'number' && seconds >= 0 && seconds < 1e7
  return {
    bytes: wholeNumber(bytes),
    pages: wholeNumber(pages),
    words: wholeNumber(words),
    pictures: wholeNumber(pictures),
    seconds: isLength ? Math.round(seconds * 1000) / 1000 : null,
  }
}

function boundEncoding(untrusted: Findings['encoding']): ConversionReport['encoding'] {
  if (!untrusted) return null
  const { name, confidence, by } = untrusted
  return { name: plainText(name), confidence: Math.round(confidence * 100) / 100, by }
}

function boundRecognized(untrusted: Findings['recognized']): ConversionReport['recognized'] {
  const count = wholeNumber(untrusted?.count)
  if (!untrusted || !count) return null
  const { confidence } = untrusted
  const isShare = typeof confidence === 'number' && confidence >= 0 && confidence <= 1
  return {
    pages: plainText(untrusted.pages, 2 * longestName),
    count,
    languages: untrusted.languages.slice(0, maxEntries).map((each) => plainText(each)),
    confidence: isShare ? Math.round(confidence * 100) / 100 : null,
  }
}
