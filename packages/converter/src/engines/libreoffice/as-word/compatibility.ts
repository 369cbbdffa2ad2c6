import { childOf, editTree, visitXml } from '../../../package/edit-xml.ts'

// Word lays a document out as the version that wrote it did. A document that does not name the version is from Word
// 2007: the setting came with Word 2010. LibreOffice takes the newest version instead, whose tables begin at the margin
// and not a cell's padding before it.

const word2007 =
  '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="12"/>'

/** Names the version in `word/settings.xml` where it has none. */
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

/** The version by number: 12 is Word 2007, 15 is Word 2013 and later. */
export function compatibilityModeOf(xml: string): number {
  let mode = 12
  visitXml(xml, ({ name, attributes }) => {
    if (name === 'w:compatSetting' && attributes['w:name'] === 'compatibilityMode')
      mode = Number.parseInt(attributes['w:val'] ?? '', 10) || mode
  })
  return mode
}
