import { readFile, stat, writeFile } from 'node:fs/promises'
import type { FormatName } from '../../../catalog/pairs.ts'
import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { editXml, type XmlEditor, type XmlVisitor } from '../../../package/edit-xml.ts'
import { keepInBinaryWord } from './binary-word.ts'
import type { FieldTargets } from './field-targets.ts'

// Keeps the dates of a document. Word processors store the last displayed text with every date, time and file-name
// field; LibreOffice discards it on load and computes a new value: a letter of last year would show today's date, and
// the file name would be `input.docx`. No setting prevents this. So such fields become plain text before LibreOffice
// opens the file. Most documents have no such field and are not changed.
//
// Of a cross-reference LibreOffice discards the formatting as well, and numbers paragraphs by its own rules. In docx it
// becomes a link with the stored text. Of a reference without a target LibreOffice prints an error instead.

/** For a document in a single XML file. */
const maxBytes = 32 * 1024 * 1024

/** For OpenDocument as a package. */
export const openDocumentEdit: PackageEdit = {
  reads: (name) => name === 'content.xml' || name === 'styles.xml',
  apply: (parts) => editEach(keepInOpenDocument)(parts),
}

/** For documents in a single file. Writes a copy to `target`; returns false if there are no such fields. */
export async function keepDates(source: string, target: string, from: FormatName): Promise<boolean> {
  if (from === 'odt') return keepInOneFile(source, target, keepInOpenDocument)
  if (from === 'doc') return keepInBinaryWord(source, target)
  if (from === 'rtf') return keepInOneFile(source, target, keepInRtf)
  return false
}

const numbered = (name: string) => Array.from({ length: 30 }, (_, index) => `word/${name}${index + 1}.xml`)
const notes = ['word/footnotes.xml', 'word/endnotes.xml']
export const wordParts = ['word/document.xml', ...numbered('header'), ...numbered('footer'), ...notes]

// LibreOffice shows those after the file name as the properties say, and zero or nothing without one.
const fields =
  'DATE|TIME|SAVEDATE|PRINTDATE|FILENAME|TITLE|SUBJECT|KEYWORDS|COMMENTS|TEMPLATE|REVNUM|EDITTIME|NUMWORDS|NUMCHARS|' +
  'DOCPROPERTY|MERGEREC'

/** A field with an unknown name displays its stored text. */
const unknownName = (name: string) => `X${name.slice(1)}`

const fieldStart = new RegExp(`^(\\s*)(${fields})(?!\\w)`, 'i')

const plainPageCount = /^\s*NUMPAGES(?!\w)(?!.*\\\*(?!\s*MERGEFORMAT))/is

/** A cross-reference that is a link, in one piece. */
const linkedReference = /^\s*REF\s+(\w{1,40})\s(?=(?:.*\s)?\\h(?:\s|$))/is

export const hasDateFields = (xml: string): boolean =>
  (xml.includes('<w:instrText') || xml.includes('<w:fldSimple')) &&
  new RegExp(`${fields}|NUMPAGES|REF\\b`, 'i').test(xml)

/** A field that refers to a bookmark or style, in one piece. */
const reference = /^(\s*)(REF|PAGEREF|NOTEREF|STYLEREF)\s+(?:(?:"|&quot;)([^"&]+)|([^\s"&\\]+))/i

/**
 * Renames date, time and file-name fields of Word and fields without a target, and makes links of cross-references.
 * LibreOffice writes the number of pages like that of the current page, "i of xii", and Word does not.
 */
export const wordDateVisitor = (targets?: FieldTargets): XmlVisitor => {
  const rename = (text: string, offset: number, editor: XmlEditor) => {
    const [, space = '', name] = fieldStart.exec(text) ?? []
    const start = offset + space.length
    if (name) editor.replace(start, start + name.length, unknownName(name))
    const [, before = '', field, quoted, plain] = reference.exec(text) ?? []
    if (field && targets?.finds(field, quoted ?? plain ?? '') === false)
      editor.replace(offset + before.length, offset + before.length + field.length, unknownName(field))
    const [count] = (targets?.hasPageFormats() && plainPageCount.exec(text)) || []
    if (count) editor.replace(offset + count.length, offset + count.length, ' \\* Arabic ')
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
      if (element.name !== 'w:instrText') return
      const instruction = editor.source(element.end, end.start)
      const [, bookmark] = linkedReference.exec(instruction) ?? []
      if (bookmark) editor.replace(element.end, end.start, ` HYPERLINK \\l "${bookmark}" `)
      else rename(instruction, element.end, editor)
    },
  }
}

const computedFields = new Set(
  ['date', 'time', 'modification-date', 'modification-time', 'print-date', 'print-time', 'file-name'].map(
    (name) => `text:${name}`,
  ),
)

/** Replaces date, time and file-name fields by their displayed text. */
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

const rtfInstruction = (fields: string) =>
  new RegExp(`(\\\\fldinst(?:[\\s{}]|\\\\[a-z]{1,32}-?\\d{0,10}){0,40}?[\\s{])(${fields})(?![\\w])`, 'gi')
const rtfBookmark = /\\bkmkstart\s+([^\s{}\\]+)/g

const maxBookmarkLength = 80

/** The field instruction may be in nested groups and after formatting. */
export function keepInRtf(text: string): string {
  const bookmarks = new Set(Array.from(text.matchAll(rtfBookmark), ([, name]) => name))
  return text
    .replaceAll(rtfInstruction(fields), (_, before: string, name: string) => before + unknownName(name))
    .replaceAll(rtfInstruction('(?:PAGE|NOTE)?REF'), (all, before: string, name: string, at: number) => {
      const end = at + all.length
      const [, target = ''] = /^\s*([^\s{}\\]+)/.exec(text.slice(end, end + maxBookmarkLength)) ?? []
      return target === '' || bookmarks.has(target) ? all : before + unknownName(name)
    })
}
