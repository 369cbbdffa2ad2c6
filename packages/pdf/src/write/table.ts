import type { Cell, Row, Table } from '../blocks/block.ts'
import { borderXml, writeBlocks } from './paragraph.ts'
import type { Part } from './part.ts'
import { twips } from './xml.ts'

/** Word's minimum width and height: one point, in twips. */
const minSide = 20

export function writeTable(part: Part, table: Table): string {
  const widths = table.columns.map((c) => Math.max(minSide, twips(c)))
  const total = widths.reduce((a, b) => a + b, 0)
  const grid = widths.map((w) => `<w:gridCol w:w="${w}"/>`).join('')
  const rows = table.rows.map((row) => {
    let cells = ''
    let column = 0
    for (const cell of row.cells) {
      if (cell.column > column) cells += emptyCell(widths.slice(column, cell.column), cell.column - column)
      cells += writeCell(part, cell, widths)
      column = cell.column + cell.columnSpan
    }
    if (column < widths.length) cells += emptyCell(widths.slice(column), widths.length - column)
    const props = `<w:cantSplit/><w:trHeight w:val="${Math.max(minSide, twips(row.height - borderOf(row)))}" w:hRule="atLeast"/>${row.header ? '<w:tblHeader/>' : ''}`
    return `<w:tr><w:trPr>${props}</w:trPr>${cells}</w:tr>`
  })
  return (
    `<w:tbl><w:tblPr>${table.rtl ? '<w:bidiVisual/>' : ''}<w:tblW w:w="${total}" w:type="dxa"/><w:tblInd w:w="${twips(table.left)}" w:type="dxa"/>` +
    '<w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="0" w:type="dxa"/><w:right w:w="0" w:type="dxa"/></w:tblCellMar></w:tblPr>' +
    `<w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`
  )
}

/** The border's width, which the height of the text does not include. */
const borderOf = (row: Row): number =>
  Math.max(0, ...row.cells.map((c) => c.borders.top?.width ?? c.borders.bottom?.width ?? 0))

const noBorders =
  '<w:tcBorders><w:top w:val="nil"/><w:left w:val="nil"/><w:bottom w:val="nil"/><w:right w:val="nil"/></w:tcBorders>'

function emptyCell(widths: readonly number[], span: number): string {
  const width = widths.reduce((a, b) => a + b, 0)
  return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}${noBorders}</w:tcPr><w:p/></w:tc>`
}

function writeCell(part: Part, cell: Cell, widths: readonly number[]): string {
  const width = widths.slice(cell.column, cell.column + cell.columnSpan).reduce((a, b) => a + b, 0)
  let props = `<w:tcW w:w="${width}" w:type="dxa"/>`
  if (cell.columnSpan > 1) props += `<w:gridSpan w:val="${cell.columnSpan}"/>`
  if (cell.continued) props += '<w:vMerge/>'
  else if (cell.rowSpan > 1) props += '<w:vMerge w:val="restart"/>'
  const { top, left, bottom, right } = cell.borders
  const borders =
    borderXml('top', top) + borderXml('left', left) + borderXml('bottom', bottom) + borderXml('right', right)
  if (borders) props += `<w:tcBorders>${borders}</w:tcBorders>`
  if (cell.fill) props += `<w:shd w:val="clear" w:color="auto" w:fill="${cell.fill.toUpperCase()}"/>`
  const margins = (['left', 'right'] as const)
    .filter((side) => twips(cell.padding[side]) > 0)
    .map((side) => `<w:${side} w:w="${twips(cell.padding[side])}" w:type="dxa"/>`)
  if (margins.length > 0) props += `<w:tcMar>${margins.join('')}</w:tcMar>`
  if (cell.turn) props += `<w:textDirection w:val="${cell.turn === 3 ? 'btLr' : 'tbRl'}"/>`
  if (cell.vertical !== 'top') props += `<w:vAlign w:val="${cell.vertical}"/>`
  let body = writeBlocks(part, cell.blocks)
  // A cell must end with a paragraph.
  if (cell.blocks.at(-1)?.kind !== 'paragraph')
    body += '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>'
  return `<w:tc><w:tcPr>${props}</w:tcPr>${body}</w:tc>`
}
