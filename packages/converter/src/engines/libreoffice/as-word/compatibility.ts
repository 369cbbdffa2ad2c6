import { childOf, editTree, visitXml } from '../../../package/edit-xml.ts'

// Word lays out a document like the version that wrote it. A document without a version is from Word 2007: the setting
// was introduced in Word 2010. LibreOffice assumes the newest version instead, in which tables begin at the margin and
// not a cell's padding before it.

const word2007 =
  '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="12"/>'

/** Adds the version to `word/settings.xml` if it has none. */
export const editSettings = (xml: string): string =>
  xml.includes('"compatibilityMode"')
    ? xml
    : editTree(xml, (root, editor) => {
        if (root.name !== 'w:settings') return
        const compat = childOf(root, 'w:compat')
        if (compat && !compat.isSelfClosing) editor.replace(compat.closeStart, compat.closeStart, word2007)
        else if (compat) editor.replace(compat.start, compat.end, `<w:compat>${word2007}</w:compat>`)
        else if (!root.isSelfClosing)
          editor.replace(root.closeStart, root.closeStart, `<w:compat>${word2007}</w:compat>`)
      })

/** A setting of the Japanese and Chinese editions of Word. */
export const balancesWidths = (settings: string): boolean =>
  /<w:balanceSingleByteDoubleByteWidth(?!\s[^<>]*w:val="(?:0|false|off)")[\s/>]/.test(settings)

/** The version by number: 12 is Word 2007, 15 is Word 2013 and later. */
export function compatibilityModeOf(xml: string): number {
  let mode = 12
  visitXml(xml, ({ name, attributes }) => {
    if (name === 'w:compatSetting' && attributes['w:name'] === 'compatibilityMode')
      mode = Number.parseInt(attributes['w:val'] ?? '', 10) || mode
  })
  return mode
}
