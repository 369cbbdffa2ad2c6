import { readFile, stat, writeFile } from 'node:fs/promises'
import type { FormatName } from '../../../catalog/pairs.ts'
import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { editXml, type XmlEditor, type XmlVisitor } from '../../../package/edit-xml.ts'
import { keepInBinaryWord } from './binary-word.ts'

// A letter keeps its date. Word processors store with every date, time and file-name field the text that
// it showed last, and LibreOffice throws that text away on load and computes its own: the letter of
// last year would bear today's date, and the file would be called `input.docx`. No setting stops
// it. So such fields are made plain text before LibreOffice sees them. A document without any, and that
// is most, is left as it is.

/** For a document in one XML file. */
const maxBytes = 32 * 1024 * 1024

/** For OpenDocument as a package. */
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

const fieldStart = new RegExp(`^(\\s*)(${fields})(?!\\w)`, 'i')

export const hasDateFields = (xml: string): boolean =>
  (xml.includes('<w:instrText') || xml.includes('<w:fldSimple')) && new RegExp(fields, 'i').test(xml)

/** Renames date, time and file-name fields of Word. */
export const wordDateVisitor = (): XmlVisitor => {
  const rename = (text: string, offset: number, editor: XmlEditor) => {
    const [, space = '', name] = fieldStart.exec(text) ?? []
    const start = offset + space.length
    if (name) editor.replace(start, start + name.length, unknownName(name))
  }
  return {
    open(element, editor) {
      if (element.name !== 'w:fldSimple') return
      const tag = editor.source(element.start, element.end)
      const { index, 0: before = '' } = /\sw:instr\s*=\s*["']/.exec(tag) ?? { index: 0 }
      const at = index + before.length
      if (before !== '') rename(tag.slice(at), element.start + at, editor)
    },
    close(element, end, editor) {
      if (element.name === 'w:instrText') rename(editor.source(element.end, end.start), element.end, editor)
    },
  }
}

const computedFields = new Set(
  ['date', 'time', 'modification-date', 'modification-time', 'print-date', 'print-time', 'file-name'].map(
    (name) => `text:${name}`,
  ),
)

/** Replaces date, time and file-name fields by the text that they show. */
export const keepInOpenDocument = (xml: string): string =>
  /<text:(?:date|time|modification-|print-|file-name)/.test(xml)
    ? editXml(xml, {
        close(element, end, editor) {
          if (!computedFields.has(element.name)) return
          const shown = editor.source(element.end, end.start)
          if (shown !== '' && !shown.includes('<')) editor.replace(element.start, end.end, shown)
        },
      })
    : xml

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
