import { failed } from '../failure.ts'
import { countWords } from '../report/count-words.ts'
import type { Findings } from '../report/findings.ts'
import { detectEncoding, type FoundEncoding } from './encoding/detect-encoding.ts'
import { encodingName } from './encoding/encoding-names.ts'
import { toUtf8 } from './encoding/to-utf8.ts'
import { describe, detectFileType, isLocked, needsPassword } from './file-types/detect-file-type.ts'
import { isIwork } from './file-types/iwork.ts'
import { pageFonts } from './file-types/named-fonts.ts'
import { shownText } from './file-types/shown-text.ts'
import { unwrapIwork } from './file-types/unwrap-iwork.ts'
import { isZip, type Upload, withUpload } from './file-types/upload.ts'
import { type FormatName, formats, readAs } from './formats.ts'
import { comesWithParts } from './opened-first.ts'
import { textInputOptions } from './options/every-engine.ts'
import { optionsOf } from './options/index.ts'
import { argumentsOf, type Options } from './options/option.ts'
import type { Pair } from './pairs.ts'

// Inspects an upload before any engine starts. A file of another format, or one that is locked, damaged or a
// decompression bomb, fails here with its failure word, without the cost of an engine. A file that passes may still be
// damaged inside; the engine detects that.

// One reader takes the whole family, and files are named loosely within it.
const families: readonly (readonly FormatName[])[] = [
  ['mp4', 'mov', 'm4v', '3gp'],
  ['mkv', 'webm'],
  ['mpeg', 'ts', 'vob'],
  ['eml', 'msg'],
]

const sameFamily = (a: FormatName, b: FormatName) =>
  a === b || families.some((family) => family.includes(a) && family.includes(b))

/**
 * Returns the findings when the file at `path` has the pair's source format; throws ConversionFailed otherwise. A file
 * that needs a password passes when the caller has given one. Text is rewritten as UTF-8: no later step decodes it
 * again. The archive of a folder becomes an archive of its contents.
 */
export async function inspectInput(path: string, pair: Pair, options: Options = {}): Promise<Findings> {
  if (isIwork(pair.from)) await unwrapIwork(path)
  return withUpload(path, async (upload) => {
    if (upload.size === 0) throw failed.corruptInput('The file is empty. Upload the file itself.')
    const { encoding } = argumentsOf(textInputOptions, pair, options)
    return formats[pair.from].isText
      ? inspectText(path, upload, pair, encoding)
      : inspectBinary(upload, pair, options.password !== undefined)
  })
}

async function inspectText(
  path: string,
  upload: Upload,
  pair: Pair,
  encoding: string | undefined,
): Promise<Findings> {
  const { label } = formats[pair.from]
  if (/^\uFEFF?\s*(\{\\rtf|%PDF-|%!PS)/.test(upload.head.toString('latin1', 0, 64))) {
    throw wrongFormat(pair, describe(await detectFileType(upload)))
  }
  if (comesWithParts(pair.from) && isZip(upload.head)) {
    const found = await detectFileType(upload)
    if ('other' in found) return {}
    throw wrongFormat(pair, describe(found))
  }
  const text = encoding === undefined ? await detectEncoding(path) : chosenEncoding(encoding)
  if (text) return readText(path, upload, text, pair.from)
  // Not text: report what it is instead. A damaged archive is not text either.
  const found = await detectFileType(upload).catch(() => ({ other: 'a binary file' }))
  const what = 'other' in found && found.other === 'something else' ? 'a binary file' : describe(found)
  throw wrongFormat(pair, what === label ? 'a binary file' : what)
}

const chosenEncoding = (label: string): FoundEncoding => ({
  name: encodingName(label) ?? label,
  confidence: 1,
  by: 'option',
  hasByteOrderMark: false,
})

/** Words of longer texts are not counted, to save time. */
const countedBytes = 2 * 1024 * 1024

async function readText(
  path: string,
  upload: Upload,
  { hasByteOrderMark, ...encoding }: FoundEncoding,
  from: FormatName,
): Promise<Findings> {
  const counted = upload.size > countedBytes ? {} : await countText(upload, encoding.name, from)
  const isReadable = encoding.name === 'utf-8' && !hasByteOrderMark && encoding.by !== 'option'
  const undecodable = isReadable ? 0 : await toUtf8(path, encoding.name)
  return { ...counted, encoding, undecodable }
}

async function countText(upload: Upload, encoding: string, from: FormatName): Promise<Findings> {
  const text = new TextDecoder(encoding).decode(await upload.read(0, upload.size))
  if (from !== 'html') return { input: { words: countWords(text) } }
  return { input: { words: countWords(shownText(text)) }, askedFonts: pageFonts(text) }
}

async function inspectBinary(upload: Upload, pair: Pair, hasPassword: boolean): Promise<Findings> {
  const found = await detectFileType(upload, hasPassword ? readAs(pair.from) : undefined).catch(
    async (error: unknown) => {
      throw takesPassword(pair) && (await isLocked(upload)) ? needsPassword() : error
    },
  )
  // A package of our own; the program that opens it checks its content.
  if (pair.from === 'file-set' && 'other' in found && isZip(upload.head)) return {}
  if ('format' in found && sameFamily(found.format, readAs(pair.from))) return found.seen ?? {}
  throw wrongFormat(pair, describe(found))
}

const takesPassword = (pair: Pair) => optionsOf(pair).some(({ name }) => name === 'password')

const wrongFormat = (pair: Pair, found: string) =>
  failed.wrongFormat(
    `The file is not ${describe({ format: pair.from })}; it is ${found}. ` +
      'Choose the pair for what it is, or save it in the right format.',
  )
