import { readOleRoot } from '../../../catalog/file-types/ole.ts'
import { type Upload, withUpload } from '../../../catalog/file-types/upload.ts'
import type { FormatName } from '../../../catalog/pairs.ts'
import type { Parts } from '../../../package/edit-package.ts'
import { readStart } from '../../../read-start.ts'
import { partNames } from './word-document.ts'

// In a document with facing pages Word never prints two odd pages in a row: where a section restarts the page numbers, a
// blank page comes between. LibreOffice inserts that page into every document, and leaves it out of a PDF unless told
// otherwise. Without facing pages Word inserts one only before a section that begins on an odd or even page, as far as
// the page numbers go on.

const facingPages =
  /<w:(?:evenAndOddHeaders|mirrorMargins|bookFoldPrinting)(?!\s[^<>]*w:val="(?:0|false|off)")[\s/>]/
const restart = /<w:pgNumType\s[^<>]*w:start="/
const sides = /<w:type\s+w:val="(?:odd|even)Page"/

export function printsBlankPages(parts: Parts): boolean {
  if (facingPages.test(parts.get(partNames.settings) ?? '')) return true
  const body = parts.get(partNames.body) ?? ''
  const endOfFirstSection = body.indexOf('</w:sectPr>')
  return endOfFirstSection >= 0 && sides.test(body.slice(endOfFirstSection)) && !restart.test(body)
}

/** Of an rtf file: its document properties come first. */
const maxPropertyBytes = 256 * 1024
const maxTableBytes = 4 * 1024 * 1024
/** Of their offset, in the file information block. */
const propertiesAt = 0x192

/** For a document that is no package. */
export async function hasFacingPages(path: string, from: FormatName): Promise<boolean> {
  if (from === 'rtf')
    return /\\(?:facingp|margmirror)(?![a-z\d])/.test(
      (await readStart(path, maxPropertyBytes)).toString('latin1'),
    )
  return from === 'doc' && withUpload(path, hasFacingPagesInBinary)
}

/** The first bit of the document properties. [MS-DOC], DopBase. */
export async function hasFacingPagesInBinary(upload: Upload): Promise<boolean> {
  const { streams } = await readOleRoot(upload)
  const fib = await streams.get('WordDocument')?.start(0x200)
  // Word 97 and later; earlier versions have the properties at another offset.
  if (!fib || fib.length < 0x200 || fib.readUInt16LE(2) < 193) return false
  const table = streams.get((fib.readUInt16LE(10) & 0x0200) !== 0 ? '1Table' : '0Table')
  const offset = fib.readUInt32LE(propertiesAt)
  if (!table || offset >= Math.min(table.size, maxTableBytes)) return false
  const bytes = await table.start(offset + 1)
  return ((bytes[offset] ?? 0) & 1) !== 0
}
