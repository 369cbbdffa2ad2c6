import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type FormatName, findPair, formats, optionsOf, pairs } from '@kiln/converter/catalog'
import { refused } from '../errors.ts'
import type { Caller, Jobs } from './convert.ts'
import { extensionOf } from './form.ts'
import { packFiles, resultsOf } from './outputs.ts'

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

// Guesses the format of a file: by its name, else by its media type, else by its first and last bytes. The job that
// converts the file verifies it.

const byExtension: ReadonlyMap<string, FormatName> = new Map([
  ...(Object.keys(formats) as FormatName[])
    .filter((name) => pairs.some(({ from }) => from === name))
    .map((name): [string, FormatName] => [`.${formats[name].extension}`, name]),
  ...Object.entries({
    html: '.htm .xhtml',
    md: '.markdown',
    txt: '.text',
    latex: '.ltx .latex',
    rst: '.rest',
    doc: '.dot',
    docm: '.dotm',
    xls: '.xlt',
    xlsx: '.xlsb',
    xlsm: '.xltm',
    ppt: '.pot .pps',
    pptm: '.potm',
    ppsx: '.ppsm',
    odt: '.ott',
    ods: '.ots',
    odp: '.otp',
    odg: '.otg',
    vsdx: '.vsdm',
  } satisfies Partial<Record<FormatName, string>>).flatMap(([name, extensions]) =>
    extensions.split(' ').map((each): [string, FormatName] => [each, name as FormatName]),
  ),
])

export const formatOfExtension = (extension: string): FormatName | undefined => byExtension.get(extension)

const typeOf = (name: FormatName): string => formats[name].contentType.split(';', 1)[0] ?? ''

const byType: ReadonlyMap<string, FormatName> = new Map(
  [...byExtension.values()].map((name): [string, FormatName] => [typeOf(name), name]),
)

export async function formatOf(
  path: string,
  { name = '', type = '' }: { name?: string; type?: string | undefined },
): Promise<FormatName | undefined> {
  const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return formatOfExtension(extensionOf(name)) ?? byType.get(media) ?? (await formatInside(path))
}

const lookedAtBytes = 64 * 1024

async function formatInside(path: string): Promise<FormatName | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const part = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(lookedAtBytes), 0, lookedAtBytes, position)
      return buffer.subarray(0, bytesRead).toString('latin1')
    }
    return recognized(await part(0), await part(Math.max(0, size - lookedAtBytes)))
  } finally {
    await file.close()
  }
}

/**
 * A package lists its parts in the central directory at its end; OpenDocument and EPUB packages name their type at the
 * start.
 */
function recognized(head: string, tail: string): FormatName | undefined {
  if (head.startsWith('PK')) {
    const named =
      /mimetypeapplication\/(?:vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)|epub\+zip)/.exec(
        head,
      )
    if (named)
      return ({ text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const)[named[1] ?? ''] ?? 'epub'
    if (tail.includes('word/document')) return 'docx'
    if (tail.includes('xl/workbook')) return 'xlsx'
    return tail.includes('ppt/presentation') ? 'pptx' : undefined
  }
  if (head.slice(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.startsWith('{\\rtf')) return 'rtf'
  if (head.startsWith('\xd0\xcf\x11\xe0')) return oleFormat(tail + head)
  if (/^\s*<(?:!doctype html|html|\?xml[^>]{0,100}>\s*<html)/i.test(head)) return 'html'
  if (/^(?:received|from|return-path|mime-version|delivered-to):/im.test(head.slice(0, 2000))) return 'eml'
  return head.includes('\0') ? undefined : 'txt'
}

/** Names in a compound file are UTF-16. */
function oleFormat(text: string): FormatName | undefined {
  const names = text.replaceAll('\0', '')
  if (names.includes('WordDocument')) return 'doc'
  if (names.includes('PowerPoint Document')) return 'ppt'
  if (names.includes('__properties_version1.0')) return 'msg'
  return names.includes('Workbook') || names.includes('Book') ? 'xls' : undefined
}
