import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

// In a right-to-left table the first column is the rightmost one. LibreOffice always puts the first column on the left.
// So the columns and the cells of each row are reversed. Merged cells keep their order: the visible cell comes first in
// both directions. Borders and margins refer to visual sides and stay.

/** Not combined with other edits: cells are moved with the edits in them. */
export const turnTables = (slide: string): string =>
  / rtl="(?:1|true)"/.test(slide) && slide.includes('<a:tbl>')
    ? editTree(slide, (root, editor) => {
        for (const node of descendants(root)) if (node.name === 'a:tbl') turn(node, editor)
      })
    : slide

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

function turn(table: XmlNode, editor: XmlEditor): void {
  const properties = childOf(table, 'a:tblPr')
  if (!properties || !isTrue(properties.attributes.rtl)) return
  // The first column of a table style is the rightmost one as well.
  const { firstCol, lastCol } = properties.attributes
  editor.setAttributes(properties, { rtl: undefined, firstCol: lastCol, lastCol: firstCol })
  reverse(
    (childOf(table, 'a:tblGrid')?.children ?? []).filter(({ name }) => name === 'a:gridCol').map(alone),
    editor,
  )
  for (const row of table.children) if (row.name === 'a:tr') reverse(joinedCells(row), editor)
}

const alone = (node: XmlNode): XmlNode[] => [node]

function joinedCells(row: XmlNode): XmlNode[][] {
  const groups: XmlNode[][] = []
  for (const cell of row.children.filter(({ name }) => name === 'a:tc')) {
    const group = groups.at(-1)
    if (group && isTrue(cell.attributes.hMerge)) group.push(cell)
    else groups.push([cell])
  }
  return groups
}

/** Reverses the order of the groups in place. */
function reverse(groups: readonly (readonly XmlNode[])[], editor: XmlEditor): void {
  const nodes = groups.flat()
  for (const [index, node] of groups.toReversed().flat().entries()) {
    const place = nodes[index]
    if (place) editor.replace(place.start, place.closeEnd, editor.source(node.start, node.closeEnd))
  }
}
