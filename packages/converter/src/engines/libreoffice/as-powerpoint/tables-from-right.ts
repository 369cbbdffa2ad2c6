import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

// A table may say that its first column is the rightmost one. LibreOffice sets the first one left always. So the
// columns and the cells of each row are turned round. Cells that are joined stay in their order: the one that shows
// comes first in both. Lines and margins are those of a side that one sees and stay.

/** By itself: cells move with the edits in them. */
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
  // Of a style, too, the first column is the rightmost one.
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

/** Puts the groups into the places of each other, the last one first. */
function reverse(groups: readonly (readonly XmlNode[])[], editor: XmlEditor): void {
  const nodes = groups.flat()
  for (const [index, node] of groups.toReversed().flat().entries()) {
    const place = nodes[index]
    if (place) editor.replace(place.start, place.closeEnd, editor.source(node.start, node.closeEnd))
  }
}
