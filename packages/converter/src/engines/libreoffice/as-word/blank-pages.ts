import type { Parts } from '../../../package/edit-package.ts'
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
