import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { editXml, type XmlVisitor } from '../../../package/edit-xml.ts'
import { hasDateFields, wordDateVisitor, wordParts } from '../keep-dates/keep-dates.ts'
import { labelFontVisitor } from './list-labels.ts'
import { hasSigns, signFontVisitor } from './signs.ts'

const numbering = 'word/numbering.xml'

/** What Word shows and LibreOffice does not. */
export const wordEdit: PackageEdit = {
  reads: (name) => name === numbering || wordParts.includes(name),
  apply: editEach((xml, name) => (name === numbering ? editNumbering(xml) : editText(xml))),
}

export const editNumbering = (xml: string): string => editXml(xml, labelFontVisitor())

export function editText(xml: string): string {
  const visitors = [
    ...(hasDateFields(xml) ? [wordDateVisitor()] : []),
    ...(hasSigns(xml) ? [signFontVisitor()] : []),
    ...(xml.includes('<w:background') ? [pageColourVisitor] : []),
  ]
  return visitors.length === 0 ? xml : editXml(xml, ...visitors)
}

/** Word shows the colour or picture of a page on the screen and, unless its settings are changed, prints none. */
const pageColourVisitor: XmlVisitor = {
  close(element, end, editor) {
    if (element.name === 'w:background') editor.replace(element.start, end.end, '')
  },
}
