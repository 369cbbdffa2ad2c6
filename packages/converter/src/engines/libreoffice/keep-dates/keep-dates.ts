import { readFile, stat, writeFile } from 'node:fs/promises'
import type { FormatName } from '../../../catalog/pairs.ts'
import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { keepInBinaryWord } from './binary-word.ts'

// A letter keeps its date. Word processors store with every date, time and file-name field the text that
// it showed last, and LibreOffice throws that text away on load and computes its own: the letter of
// last year would bear today's date, and the file would be called `input.docx`. No setting stops
// it. So such fields are made plain text before LibreOffice sees them. A document without any, and that
// is most, is left as it is.

/** Of a document in one file. */
const maxBytes = 32 * 1024 * 1024

/** Of OpenDocument as a package. */
export const openDocumentEdit: PackageEdit = {
  reads: (name) => name === 'content.xml' || name === 'styles.xml',
  apply: (parts) => editEach(keepInOpenDocument)(parts),
}

/** For documents in one file. Writes a copy to `target`; returns false when there is nothing to keep. */
export async function keepDates(source: string, target: string, from: FormatName): Promise<boolean> {
  if (from === 'odt') return keepInOneFile(source, target, keepInOpenDocument)
  if (from === 'doc') return keepInBinaryWord(source, target)
  if (from === 'rtf') return keepInOneFile(source, target, keepInRtf)
  return false
}

const numbered = (name: string) => Array.from({ length: 30 }, (_, index) => `word/${name}${index + 1}.xml`)
export const wordParts = ['word/document.xml', ...numbered('header'), ...numbered('footer')]

const fields = 'DATE|TIME|SAVEDATE|PRINTDATE|FILENAME'

/** A field whose name is unknown shows its stored text. */
const unknownName = (name: string) => `X${name.slice(1)}`

export function keepInWordXml(xml: string): string {
  return xml
    .replaceAll(
      new RegExp(`(<w:instrText\\b[^<>]*>\\s*)(${fields})(?![\\w])`, 'gi'),
      (_, before: string, name: string) => before + unknownName(name),
    )
    .replaceAll(
      new RegExp(`(<w:fldSimple\\b[^<>]*?w:instr="\\s*)(${fields})(?![\\w])`, 'gi'),
      (_, before: string, name: string) => before + unknownName(name),
    )
}

export function keepInOpenDocument(xml: string): string {
  return xml.replaceAll(
    /<text:(date|time|modification-date|modification-time|print-date|print-time|file-name)\b(?:[^<>]*[^<>/])?>([^<]+)<\/text:\1>/g,
    '$2',
  )
}

async function keepInOneFile(
  source: string,
  target: string,
  keep: (text: string) => string,
): Promise<boolean> {
  if ((await stat(source)).size > maxBytes) return false
  const text = await readFile(source, 'latin1')
  const kept = keep(text)
  if (kept === text) return false
  await writeFile(target, kept, { encoding: 'latin1', flag: 'wx' })
  return true
}

/** The instruction may stand in groups and behind formatting of its own. */
export function keepInRtf(text: string): string {
  return text.replaceAll(
    new RegExp(`(\\\\fldinst(?:[\\s{}]|\\\\[a-z]{1,32}-?\\d{0,10}){0,40}?[\\s{])(${fields})(?![\\w])`, 'gi'),
    (_, before: string, name: string) => before + unknownName(name),
  )
}
