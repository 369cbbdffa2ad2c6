import { readFile } from 'node:fs/promises'
import { isIwork } from '../../catalog/file-types/iwork.ts'
import { isOle, readOleRoot } from '../../catalog/file-types/ole.ts'
import { shownText } from '../../catalog/file-types/shown-text.ts'
import { isZip, type Upload, withUpload } from '../../catalog/file-types/upload.ts'
import { detectVariant } from '../../catalog/file-types/variant.ts'
import { formats } from '../../catalog/formats.ts'
import { findMain } from '../../catalog/main-file.ts'
import { comesWithParts, type FormatWithParts } from '../../catalog/opened-first.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import { readParts } from '../../package/read-package.ts'
import type { Content } from './content.ts'
import { readDoc } from './doc.ts'
import { readIwork } from './iwork.ts'
import { isBookPackage, isOfficePackage, readBook, readOfficePackage, readOpenDocument } from './packages.ts'
import { readPpt } from './ppt.ts'
import { readRtf } from './rtf.ts'
import { countHeld, minWords, wordsIn } from './words.ts'
import { readXls } from './xls.ts'

// The visible content of the source: some of its words, and whether there is anything visible. Runs in a thread. When
// in doubt the answer is no: hidden content, content that is not printed, formats that are not parsed here.

export interface Shown {
  words: string[]
  /** The surest of what there is to see. */
  sees?: 'text' | 'a picture' | 'a drawing'
  isDamaged?: boolean
  /** A print need not have any of the words. */
  hasPrintArea?: boolean
}

const partBytes = 4 * 1024 * 1024

export async function sourceShows(path: string, from: FormatName): Promise<Shown> {
  const content = await read(path, from)
  const { text, pictures, drawings, mayBeHidden, hasPrintArea = false, isDamaged = false } = content
  const words = wordsIn(text)
  if (mayBeHidden) return { words: words.length < provingWords ? [] : words, isDamaged, hasPrintArea }
  if (hasPrintArea) return { words, isDamaged, hasPrintArea }
  if (/[\p{L}\p{N}]/u.test(text)) return { words, sees: 'text', isDamaged }
  if (pictures) return { words, sees: 'a picture', isDamaged }
  return drawings ? { words, sees: 'a drawing', isDamaged } : { words, isDamaged }
}

/** How many of these words are in the file; undefined if it has no text that could hold them. */
export async function countKept(
  words: string[],
  path: string,
  format: FormatName,
): Promise<number | undefined> {
  const { text } = await read(path, format)
  return countHeld(words, text) || (wordsIn(text).length < minWords ? undefined : 0)
}

/** So many words are not all hidden while other text is shown. */
const provingWords = 40

const nothing: Content = { text: '' }

async function read(path: string, from: FormatName): Promise<Content> {
  if (from === 'odt' || from === 'ods') {
    const flat = await readFlat(path)
    if (flat) return flat
  }
  if (isOfficePackage(from)) return withUpload(path, (upload) => readOfficePackage(upload, from))
  if (isIwork(from)) return withUpload(path, (upload) => readIwork(upload, from))
  if (isBookPackage(from)) return withUpload(path, async (upload) => htmlContent(await readBook(upload)))
  if (from === 'rtf') return readRtf((await readFile(path)).subarray(0, partBytes))
  if (from === 'doc' || from === 'ppt' || from === 'xls') {
    return withUpload(path, async (upload) => {
      if (!isOle(upload.head)) return nothing
      return { doc: readDoc, ppt: readPpt, xls: readXls }[from]((await readOleRoot(upload)).streams)
    })
  }
  if (comesWithParts(from)) {
    const main = await withUpload(path, (upload) => readMain(upload, from))
    if (main !== undefined)
      return { text: from === 'html' ? shownText(main) : withoutMarkup(main, from), mayBeHidden: true }
  }
  // A message is text too, and much of it in codes.
  if (!formats[from].isText) return nothing
  const text = (await readFile(path)).toString('utf8', 0, partBytes)
  return from === 'html' ? htmlContent(text) : { text: withoutMarkup(text, from) }
}

/** Inline pictures, tags, comments, metadata and TeX commands contain words that are not displayed. */
const withoutMarkup = (text: string, from: FormatName): string => {
  const plain = text.replaceAll(/\bdata:[^\s"'()<>]*/g, ' ')
  if (from === 'latex')
    return bodyOf(plain)
      .replaceAll(/(?<!\\)%.*/g, ' ')
      .replaceAll(/\\[A-Za-z@]+|\{[^{}\s]{0,200}\}|\[[^[\]\s]{0,200}\]/g, ' ')
  // Directives, comments and fields, with the indented lines that belong to them.
  if (from === 'rst') return plain.replaceAll(/^(?:\.\.|:|[ \t]).*/gm, ' ').replaceAll(tag, ' ')
  return from === 'md' ? plain.replace(/^---\r?\n[\s\S]*?\n(?:---|\.\.\.)/, ' ').replaceAll(tag, ' ') : plain
}

const tag = /<[^<>]{0,2000}>/g

/** The preamble contains English commands, whatever the language of the document. */
const bodyOf = (latex: string): string => latex.slice(Math.max(0, latex.indexOf('\\begin{document}')))

async function readFlat(path: string): Promise<Content | undefined> {
  if ((await detectVariant(path)) === undefined) return undefined
  const xml = withoutBinaryData((await readFile(path)).toString('utf8')).slice(0, partBytes)
  return readOpenDocument(new Map([['content.xml', xml]]))
}

/** Pictures and charts are base64 text between these tags. */
const withoutBinaryData = (xml: string): string =>
  xml
    .split('<office:binary-data>')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('</office:binary-data>'))))
    .join('')

/** The document of an archive. Which of the other texts it shows is not known here. */
async function readMain(upload: Upload, format: FormatWithParts): Promise<string | undefined> {
  if (!isZip(upload.head)) return undefined
  const isText = (name: string) => /\.(?:x?html?|md|markdown|tex|ltx|latex|re?st)$/.test(name)
  const { parts } = await readParts(upload, { wanted: isText })
  return parts.get(findMain([...parts.keys()], format, (path) => parts.get(path) ?? ''))
}

const htmlContent = (html: string): Content => ({
  text: shownText(html),
  mayBeHidden: /display:\s*none|visibility:\s*hidden|opacity:\s*0|\shidden[\s>=]/i.test(html),
})
