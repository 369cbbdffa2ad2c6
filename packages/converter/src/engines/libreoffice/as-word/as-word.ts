import { editEach, type PackageEdit, type Parts } from '../../../package/edit-package.ts'
import { editXml, type XmlVisitor } from '../../../package/edit-xml.ts'
import { hasDateFields, wordDateVisitor, wordParts } from '../keep-dates/keep-dates.ts'
import { alignTabs, hasAlignedTabs } from './aligned-tabs.ts'
import { editSettings } from './compatibility.ts'
import { dashVisitor, hasDashedNumbers } from './dashed-numbers.ts'
import { languageOf, languageVisitor } from './east-asian-language.ts'
import { editFormulas, hasFormulas } from './formulas.ts'
import { compressesPunctuation, hangingVisitor, noHangingVisitor } from './hanging-punctuation.ts'
import { hasStyleList, styleListVisitor } from './index-fields.ts'
import { noIndentVisitor, stylesWithoutIndent } from './list-indents.ts'
import { labelFontVisitor } from './list-labels.ts'
import { hasPageStarts, pageStartVisitor } from './page-starts.ts'
import { editRotatedBoxes, hasRotatedBoxes } from './rotated-boxes.ts'
import { tableVisitor } from './tables/table-visitor.ts'
import { hasSpecialText, textRunVisitor } from './text-runs.ts'
import { partNames, readWordDocument, type WordDocument } from './word-document.ts'

const read: ReadonlySet<string> = new Set([...Object.values(partNames), ...wordParts])

/** Features that Word displays and LibreOffice does not. */
export const wordEdit: PackageEdit = {
  reads: (name) => read.has(name),
  apply(parts) {
    const document = readWordDocument(parts)
    return editEach((xml, name) => {
      if (name === partNames.fontTable || name === partNames.theme) return xml
      if (name === partNames.numbering) return editNumbering(xml)
      if (name === partNames.settings) return editSettings(xml)
      if (name === partNames.styles) return editStyles(xml, parts)
      const header = name === partNames.body ? xml : editHeader(xml, document, parts)
      const edited = hasRotatedBoxes(header) ? editRotatedBoxes(header) : header
      return editText(hasFormulas(edited) ? editFormulas(edited, document) : edited, document)
    })(parts)
  },
}

function editHeader(xml: string, document: WordDocument, parts: Parts): string {
  const aligned = hasAlignedTabs(xml) ? alignTabs(xml, document) : xml
  return hasDashedNumbers(parts.get(partNames.body) ?? '') ? editXml(aligned, dashVisitor()) : aligned
}

export function editStyles(xml: string, parts: Parts): string {
  const read = (name: keyof typeof partNames) => parts.get(partNames[name]) ?? ''
  const language = xml.includes('w:eastAsia="') ? languageOf(read('body')) : undefined
  const withoutIndent = stylesWithoutIndent(read('numbering'))
  return edit(xml, [
    ...(language === undefined ? [] : [languageVisitor(language)]),
    ...(language === undefined || compressesPunctuation(read('settings')) ? [] : [noHangingVisitor()]),
    ...(hasHanging(xml) ? [hangingVisitor] : []),
    ...(withoutIndent.size > 0 ? [noIndentVisitor(withoutIndent)] : []),
  ])
}

export const editNumbering = (xml: string): string => editXml(xml, labelFontVisitor())

export function editText(xml: string, document: WordDocument = readWordDocument(new Map())): string {
  return edit(xml, [
    ...(hasDateFields(xml) ? [wordDateVisitor(document.targets)] : []),
    ...(hasSpecialText(xml) ? [textRunVisitor(document)] : []),
    ...(xml.includes('<w:tbl>') ? [tableVisitor(document)] : []),
    ...(xml.includes('<w:background') ? [pageColourVisitor] : []),
    ...(xml.includes('w:tblpXSpec=') ? [floatingTableVisitor] : []),
    ...(hasHanging(xml) ? [hangingVisitor] : []),
    ...(hasStyleList(xml) ? [styleListVisitor()] : []),
    ...(hasPageStarts(xml) ? [pageStartVisitor()] : []),
  ])
}

const hasHanging = (xml: string): boolean => xml.includes('<w:overflowPunct')

const edit = (xml: string, visitors: readonly XmlVisitor[]): string =>
  visitors.length === 0 ? xml : editXml(xml, ...visitors)

/** Word shows the page colour or picture on the screen but does not print it by default. */
const pageColourVisitor: XmlVisitor = {
  close(element, end, editor) {
    if (element.name === 'w:background') editor.replace(element.start, end.end, '')
  },
}

/** LibreOffice keeps a floating table's distance from the text at the edge too that it is aligned to. */
const floatingTableVisitor: XmlVisitor = {
  open(element, editor) {
    if (element.name !== 'w:tblpPr') return
    const edge = element.attributes['w:tblpXSpec']
    if (edge === 'left' || edge === 'right') editor.setAttributes(element, { [`w:${edge}FromText`]: '0' })
  },
}
