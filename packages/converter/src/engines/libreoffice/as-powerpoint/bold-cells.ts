import { childOf, descendants, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { isLetters } from './paragraph.ts'

// PowerPoint has its table styles built in; programs such as python-pptx name one that the deck does not define.
// LibreOffice knows their colours and lines, but not that they set the first row and others in bold.

const withoutBold = new Set([
  // No Style, with and without a grid.
  '{2D5ABB26-0587-4C30-8999-92F81FD0307C}',
  '{5940675A-B579-460E-94D1-54222C63F5DA}',
])

/** `tableStyles` is the part that defines the deck's own styles. */
export function emboldenCells(tableStyles: string): (node: XmlNode, editor: XmlEditor) => void {
  const defined = new Set(Array.from(tableStyles.matchAll(/\sstyleId="([^"]*)"/g), ([, id]) => id))
  return (table, editor) => {
    if (table.name !== 'a:tbl') return
    const properties = childOf(table, 'a:tblPr')
    const style = childOf(properties, 'a:tableStyleId')
    const id = style && editor.source(style.end, style.closeStart).trim()
    if (!id || defined.has(id) || withoutBold.has(id)) return
    const has = (flag: string) => /^(?:1|true)$/.test(properties?.attributes[flag] ?? '')
    const rows = table.children.filter(({ name }) => name === 'a:tr')
    for (const row of rows) {
      const cells = row.children.filter(({ name }) => name === 'a:tc')
      const isBold = (has('firstRow') && row === rows[0]) || (has('lastRow') && row === rows.at(-1))
      const bold = isBold
        ? cells
        : [...(has('firstCol') ? cells.slice(0, 1) : []), ...(has('lastCol') ? cells.slice(-1) : [])]
      for (const cell of bold) embolden(cell, editor)
    }
  }
}

function embolden(cell: XmlNode, editor: XmlEditor): void {
  for (const letters of descendants(cell)) {
    if (!isLetters(letters)) continue
    const properties = childOf(letters, 'a:rPr')
    if (properties) editor.setAttributes(properties, { b: properties.attributes.b ?? '1' })
    else if (!letters.isSelfClosing) editor.replace(letters.end, letters.end, '<a:rPr b="1"/>')
  }
}
