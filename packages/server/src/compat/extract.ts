import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type FormatName, findPair, formats, optionsOf } from '@kiln/converter/catalog'
import { refused } from '../errors.ts'
import type { Caller, Jobs } from './convert.ts'
import { packFiles } from './file-set.ts'
import { resultsOf } from './outputs.ts'

// The text of a document as plain text, Markdown or HTML. Most formats take one job; old word processor files are
// converted to DOCX first.

export type TextFormat = 'txt' | 'md' | 'html'

export interface Extraction {
  jobs: Jobs
  folder: string
  caller: Caller
}

export interface Source {
  path: string
  format: FormatName
}

/** Markdown is accepted where plain text is asked for. */
const wanted: Readonly<Record<TextFormat, readonly FormatName[]>> = {
  txt: ['txt', 'md'],
  md: ['md'],
  html: ['html'],
}

const between: readonly FormatName[] = ['docx', 'odt']

/** The pairs that lead from a format to a text format, in order; empty when the format is that text format already. */
export function pairsTo(from: FormatName, to: TextFormat): string[] | undefined {
  for (const target of wanted[to]) {
    if (from === target) return []
    if (findPair(`${from}-to-${target}`)) return [`${from}-to-${target}`]
  }
  for (const step of between)
    for (const target of wanted[to])
      if (findPair(`${from}-to-${step}`) && findPair(`${step}-to-${target}`))
        return [`${from}-to-${step}`, `${step}-to-${target}`]
  return undefined
}

/** The options that apply to a pair. */
export function optionsFor(
  pair: string,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const found = findPair(pair)
  const taken = found ? optionsOf(found) : []
  const fits = ([name, value]: [string, unknown]) =>
    taken.some((each) => each.name === name && each.isValid(value))
  return Object.fromEntries(Object.entries(options).filter(fits))
}

/** Larger texts are refused, because a text is held in memory until it is sent. */
const longestText = 64 * 1024 * 1024

export async function extractText(
  { jobs, folder, caller }: Extraction,
  { path, format }: Source,
  to: TextFormat,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const pairs = pairsTo(format, to)
  if (!pairs) throw refused('bad-request', `Kiln does not extract text of ${formats[format].label} files.`)
  let current = path
  for (const [index, pair] of pairs.entries()) {
    const converted = await jobs.convert({ pair, path: current, options: optionsFor(pair, options) }, caller)
    try {
      if (index === pairs.length - 1) {
        if (converted.bytes > longestText) throw tooMuch()
        return await text(await converted.open())
      }
      current = join(folder, randomUUID())
      await pipeline(await converted.open(), createWriteStream(current, { flags: 'wx' }))
    } finally {
      // An output that could not be removed expires.
      await converted.remove().catch(() => {})
    }
  }
  if ((await stat(current)).size > longestText) throw tooMuch()
  return readFile(current, 'utf8')
}

const tooMuch = () => refused('too-large', 'The text of the document has more than 64 MB.')

/** Title, author, dates, pages and language, by the names of Dublin Core. */
export async function extractProperties(
  { jobs, folder, caller }: Extraction,
  { path }: Source,
): Promise<Record<string, string>> {
  const steps = { read: 'properties', files: [{ path: 'file-0', name: 'document' }] }
  const set = await packFiles(folder, `${randomUUID()}.zip`, [
    { name: 'steps.json', data: Buffer.from(JSON.stringify(steps)) },
    { name: 'file-0', path },
  ])
  const converted = await jobs.convert({ pair: 'file-set-to-file-results', path: set }, caller)
  try {
    const output = await resultsOf(converted)
    const file = 'files' in output ? output.files[0] : undefined
    const found = file
      ? (JSON.parse(await text(await file.open())) as { document?: Record<string, string> })
      : {}
    return found.document ?? {}
  } finally {
    // An output that could not be removed expires.
    await converted.remove().catch(() => {})
  }
}
