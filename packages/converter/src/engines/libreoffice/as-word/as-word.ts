import { editEach, type PackageEdit } from '../../../package/edit-package.ts'
import { editXml, type XmlVisitor } from '../../../package/edit-xml.ts'
import { hasDateFields, wordDateVisitor, wordParts } from '../keep-dates/keep-dates.ts'
import { languageOf, languageVisitor } from './east-asian-language.ts'
import { labelFontVisitor } from './list-labels.ts'
import { createFontResolver, type FontOf } from './run-fonts.ts'
import { hasSpecialText, textRunVisitor } from './text-runs.ts'

const numbering = 'word/numbering.xml'
export const fontTable = 'word/fonttable.xml'
const styles = 'word/styles.xml'
const body = 'word/document.xml'

/** What Word shows and LibreOffice does not. */
export const wordEdit: PackageEdit = {
  reads: (name) => [numbering, fontTable, styles].includes(name) || wordParts.includes(name),
  apply(parts) {
    // Read when the first run asks for it.
    let fontOf: FontOf | undefined
    const resolver = () => {
      fontOf ??= createFontResolver(parts.get(styles) ?? '')
      return fontOf
    }
    return editEach((xml, name) => {
      if (name === fontTable) return xml
      if (name === numbering) return editNumbering(xml)
      return name === styles ? editStyles(xml, parts.get(body) ?? '') : editText(xml, resolver)
    })(parts)
  },
}

function editStyles(xml: string, text: string): string {
  const language = xml.includes('w:eastAsia="') ? languageOf(text) : undefined
  return language === undefined ? xml : editXml(xml, languageVisitor(language))
}

export const editNumbering = (xml: string): string => editXml(xml, labelFontVisitor())

export function editText(xml: string, fontOf: () => FontOf = () => createFontResolver('')): string {
  const visitors = [
    ...(hasDateFields(xml) ? [wordDateVisitor()] : []),
    ...(hasSpecialText(xml) ? [textRunVisitor(fontOf)] : []),
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
