import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { editXml } from '../../../package/edit-xml.ts'
import { hasDateFields, wordDateVisitor, wordParts } from '../keep-dates/keep-dates.ts'
import { bulletFontVisitor, hasSigns, signFontVisitor } from './signs.ts'

const numbering = 'word/numbering.xml'

/** What Word shows and LibreOffice does not. */
export const wordEdit: PackageEdit = {
  reads: (name) => name === numbering || wordParts.includes(name),
  apply: editEach((xml, name) => (name === numbering ? editNumbering(xml) : editText(xml))),
}

export const editNumbering = (xml: string): string =>
  hasSigns(xml) ? editXml(xml, bulletFontVisitor()) : xml

export function editText(xml: string): string {
  const visitors = [
    ...(hasDateFields(xml) ? [wordDateVisitor()] : []),
    ...(hasSigns(xml) ? [signFontVisitor()] : []),
  ]
  return visitors.length === 0 ? xml : editXml(xml, ...visitors)
}
