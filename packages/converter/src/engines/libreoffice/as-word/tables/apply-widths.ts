import { childOf, type XmlEditor } from '../../../../package/edit-xml.ts'
import type { WordDocument } from '../word-document.ts'
import { columnWidths } from './column-widths.ts'
import { type OpenTable, type Padding, readTwips, readWidth } from './open-table.ts'

// Writes the computed widths into the table: its grid, its width and those of its cells.

/** Word rounds widths to its own units, and substituted fonts have slightly different widths. */
const tolerance = 30
/** First version in which tables begin at the margin; before, their text did. */
const firstAtMargin = 15
/** Word's limit for a table. */
const maxColumns = 63

export function applyWidths(
  table: OpenTable,
  textWidth: number,
  document: WordDocument,
  editor: XmlEditor,
): void {
  const { columns, stored } = table
  if (columns > maxColumns || !isMeasured(table)) return
  const padding = paddingOf(table, document)
  const sides = padding.left + padding.right
  const room = document.compatibilityMode() >= firstAtMargin ? textWidth : textWidth + sides
  const cells = table.cells.map((cell) => {
    const own = (cell.padding.left ?? padding.left) + (cell.padding.right ?? padding.right)
    return { ...cell, min: cell.min + own, max: cell.max + own }
  })
  const asked = readWidth(table.width)
  const wanted = asked && ('twips' in asked ? asked.twips : asked.share * room)
  const available = Math.max(room - Math.max(table.indent, 0), wanted ?? 0)
  const widths = columnWidths(cells, columns, { wanted, available })?.map(Math.ceil)
  if (!widths) return
  const isStored =
    stored.length === columns &&
    widths.every((width, index) => Math.abs(width - (stored[index] ?? 0)) <= tolerance)
  if (isStored && !(asked && 'share' in asked)) return
  write(table, isStored ? stored : widths, editor)
}

/** Whether each column has a cell that spans only it, and each cell has a width or text of known width. */
const isMeasured = ({ cells, columns }: OpenTable): boolean =>
  new Set(cells.flatMap(({ span, column }) => (span === 1 ? [column] : []))).size === columns &&
  cells.every(({ wanted, hasTabs }) => wanted || !hasTabs)

function write(table: OpenTable, widths: readonly number[], editor: XmlEditor): void {
  const total = (from: number, count: number) =>
    widths.slice(from, from + count).reduce((sum, width) => sum + width, 0)
  const grid = `<w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`
  if (!table.grid) return
  editor.replace(table.grid.start, table.grid.end, grid)
  if (table.width) editor.setAttributes(table.width, { 'w:w': `${total(0, widths.length)}`, 'w:type': 'dxa' })
  for (const { width, column, span } of table.cells)
    if (width) editor.setAttributes(width, { 'w:w': `${total(column, span)}`, 'w:type': 'dxa' })
}

const defaultPadding = 108

function paddingOf(
  { padding, style }: OpenTable,
  document: WordDocument,
): Required<Record<keyof Padding, number>> {
  const inStyle = (...names: readonly string[]) =>
    document.sheet().ofTable(style, (properties) => {
      const margins = childOf(properties, 'w:tblCellMar')
      const side = margins?.children.find(({ name }) => names.includes(name))
      return side && readTwips(side.attributes, 'w:w')
    })
  return {
    left: padding.left ?? inStyle('w:left', 'w:start') ?? defaultPadding,
    right: padding.right ?? inStyle('w:right', 'w:end') ?? defaultPadding,
  }
}
