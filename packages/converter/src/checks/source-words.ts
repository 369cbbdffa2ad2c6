import { readFile } from 'node:fs/promises'
import type { FormatName } from '../catalog/pairs.ts'
import { shownText, textBetweenTags } from '../catalog/sniff/shown-text.ts'
import { detectTextEncoding } from '../catalog/sniff/text-encoding.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import { readZipPackage } from '../catalog/sniff/zip-package.ts'

// Some words that a reader of the source sees, to be looked for in what was made of it. Runs in a thread.

const mostWords = 60
const partBytes = 4 * 1024 * 1024

const numbered = (before: string, after: string) =>
  Array.from({ length: 10 }, (_, index) => `${before}${index + 1}${after}`)

/** The parts of a package that hold its text, first things first. */
const parts: Partial<Record<FormatName, readonly string[]>> = {
  docx: ['word/document.xml'],
  pptx: numbered('ppt/slides/slide', '.xml'),
  xlsx: ['xl/sharedstrings.xml', ...numbered('xl/worksheets/sheet', '.xml')],
  odt: ['content.xml'],
  ods: ['content.xml'],
  odp: ['content.xml'],
  odg: ['content.xml'],
}

/** Elements whose text is shown; in other XML, notes and settings have text as well. */
const shown: Partial<Record<FormatName, RegExp>> = {
  docx: /<w:t(?:\s[^<>]*)?>([^<]*)</g,
  pptx: /<a:t(?:\s[^<>]*)?>([^<]*)</g,
  xlsx: /<t(?:\s[^<>]*)?>([^<]*)</g,
}

export async function sourceWords(path: string, from: FormatName): Promise<string[]> {
  const wanted = parts[from]
  if (wanted) {
    const zip = await withUpload(path, (upload) => readZipPackage(upload, wanted, partBytes))
    return wordsIn(wanted.map((name) => textBetweenTags(zip.parts.get(name) ?? '', shown[from])).join(' '))
  }
  const found = await detectTextEncoding(path, { isHtml: from === 'html' })
  if (!found || from === 'rtf') return []
  const bytes = (await readFile(path)).subarray(0, partBytes)
  const text = new TextDecoder(found.encoding).decode(bytes)
  return wordsIn(from === 'html' ? shownText(text) : text)
}

// Scripts whose letters a PDF gives back in the order in which they were written.
const word =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{4,20}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2,3}/gu

function wordsIn(text: string): string[] {
  const words = new Set<string>()
  for (const [found] of text.normalize('NFKC').matchAll(word)) {
    words.add(found.toLowerCase())
    if (words.size >= mostWords) break
  }
  return [...words]
}

/** None of the words is there. Breaks within a word, hyphens among them, do not count. */
export function holdsNone(words: readonly string[], text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u00AD\u2010-]+/g, '')
  return !words.some((each) => plain.includes(each))
}
