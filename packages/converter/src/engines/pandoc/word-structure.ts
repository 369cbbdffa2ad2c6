import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../package/edit-xml.ts'

// Pandoc drops parts of DOCX that Word shows:
//
//   runs          the text beside a picture, a note or a part of a field. Each of them gets a run of its own
//   alternatives  outside of runs. The first one stays
//   insertions    formulas and links in them. They are moved out
//   tables        cells outside of the grid, and all of a table without one. The grid gets a column for each

const single =
  /^(?:w:(?:drawing|pict|footnoteReference|endnoteReference|fldChar|instrText)|mc:AlternateContent)$/
const notInserted = /^(?:m:oMath|m:oMathPara|w:hyperlink)$/
const candidate =
  /<(?:w:(?:drawing|pict|footnoteReference|endnoteReference|fldChar|tbl)|mc:AlternateContent|m:oMath)\b|<w:ins\b[^<>]*>\s*<w:hyperlink\b/

export const completeStructure = (xml: string): string =>
  candidate.test(xml)
    ? editTree(xml, (root, editor) => {
        for (const node of descendants(root)) {
          edits[node.name]?.(node, editor)
          if (node.name === 'w:r') continue
          for (const child of node.children)
            if (child.name === 'mc:AlternateContent') chooseFirst(child, editor)
        }
      })
    : xml

const edits: Readonly<Record<string, (node: XmlNode, editor: XmlEditor) => void>> = {
  'w:r'({ children }, editor) {
    const properties = children[0]?.name === 'w:rPr' ? children[0] : undefined
    const copy = properties ? editor.source(properties.start, properties.closeEnd) : ''
    const content = properties ? children.slice(1) : children
    content.forEach(({ name, start }, index) => {
      const before = content[index - 1]
      if (before && (single.test(name) || single.test(before.name)))
        editor.replace(start, start, `</w:r><w:r>${copy}`)
    })
  },
  'w:ins'({ start, end, children }, editor) {
    for (const child of children.filter(({ name }) => notInserted.test(name))) {
      editor.replace(child.start, child.start, '</w:ins>')
      editor.replace(child.closeEnd, child.closeEnd, editor.source(start, end))
    }
  },
  'w:tbl'(table, editor) {
    const grid = childOf(table, 'w:tblGrid')
    const given = grid?.children.filter(({ attributes }) => attributes['w:w'] !== undefined).length ?? 0
    const needed = inside(table, 'w:tr').reduce((most, row) => Math.max(most, columnsOf(row)), 0)
    if (given >= needed) return
    const { start, closeEnd } = grid ?? { start: table.end, closeEnd: table.end }
    editor.replace(start, closeEnd, `<w:tblGrid>${'<w:gridCol w:w="1"/>'.repeat(needed)}</w:tblGrid>`)
  },
}

/** A table of Word has at most 63 columns. */
const maxSpanned = 63

function columnsOf(row: XmlNode): number {
  const cells = inside(row, 'w:tc')
  const spans = cells.map((cell) =>
    Number(childOf(childOf(cell, 'w:tcPr'), 'w:gridSpan')?.attributes['w:val'] ?? 1),
  )
  const columns = spans.reduce((sum, span) => sum + span, 0)
  return Math.max(cells.length, Math.min(columns || 0, maxSpanned))
}

/** Rows and cells, also those in content controls. */
const inside = ({ children }: XmlNode, wanted: string): XmlNode[] =>
  children.flatMap((child) =>
    child.name === wanted
      ? [child]
      : child.name === 'w:sdt' || child.name === 'w:sdtContent'
        ? inside(child, wanted)
        : [],
  )

function chooseFirst({ start, closeEnd, children }: XmlNode, editor: XmlEditor): void {
  const chosen = children[0]
  editor.replace(start, chosen?.end ?? closeEnd, '')
  if (chosen) editor.replace(chosen.closeStart, closeEnd, '')
}
