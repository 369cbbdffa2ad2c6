import type { Parts } from '../../../../package/edit-package.ts'
import {
  childOf,
  editXml,
  readTree,
  type XmlEditor,
  type XmlElement,
  type XmlNode,
} from '../../../../package/edit-xml.ts'
import { relationshipsIn } from '../../../../package/relationships.ts'
import { isTrue } from '../workbook-styles.ts'
import { type CellFormats, createCellFormats } from './cell-formats.ts'
import { type Area, lookOf, readTableStyle, type Table } from './table-style.ts'

// LibreOffice ignores the styles of tables. Their cells get formats that look the same.

export const stylesPart = 'xl/styles.xml'
export const sheetFolder = 'xl/worksheets'
export const tablePart = /^xl\/tables\/[^/]+\.xml$/
export const sheetRelations = /^xl\/worksheets\/_rels\/[^/]+\.rels$/
export const relationsOf = (sheet: string) => sheet.replace(/([^/]+)$/, '_rels/$1.rels')

/** `parts` has the sheets, their relationships, the tables and the style sheet. Returns those that change. */
export function styleTables(parts: Parts): Parts {
  const changed = new Map<string, string>()
  const styles = parts.get(stylesPart) ?? ''
  const hasTables = [...parts.keys()].some((name) => tablePart.test(name))
  const root = hasTables ? readTree(styles) : undefined
  // All lists must exist, and with these names: other producers may use a namespace prefix.
  if (
    !root ||
    !['fonts', 'fills', 'borders', 'cellXfs'].every((list) => childOf(root, list)?.children.length)
  )
    return changed
  const formats = createCellFormats(styles, root)
  for (const [name, xml] of parts) {
    if (!name.startsWith(`${sheetFolder}/`)) continue
    const tables = relationshipsIn(parts.get(relationsOf(name)) ?? '', sheetFolder)
      .map(({ target }) => target?.toLowerCase() ?? '')
      .filter((target) => tablePart.test(target))
      .map((target) => readTable(parts.get(target) ?? '', root))
      .filter((table) => table !== undefined)
    if (tables.length > 0) changed.set(name, styleCells(xml, tables, formats))
  }
  if (changed.size > 0) changed.set(stylesPart, formats.styles())
  return changed
}

function readTable(xml: string, styleSheet: XmlNode): Table | undefined {
  const table = readTree(xml)
  const area = areaOf(table?.attributes.ref)
  const info = childOf(table, 'tableStyleInfo')?.attributes ?? {}
  const style = info.name ? readTableStyle(styleSheet, info.name) : undefined
  if (!table || !area || !style) return undefined
  const shows = (name: string) => isTrue(info[name])
  return {
    area,
    headerRows: Number(table.attributes.headerRowCount ?? 1),
    totalRows: Number(table.attributes.totalsRowCount ?? 0),
    style,
    shows: {
      firstColumn: shows('showFirstColumn'),
      lastColumn: shows('showLastColumn'),
      rowStripes: shows('showRowStripes'),
      columnStripes: shows('showColumnStripes'),
    },
  }
}

const cellName = /^([A-Z]{1,3})([1-9]\d{0,6})$/

export function positionOf(name: string): { row: number; column: number } | undefined {
  const [, letters, row] = cellName.exec(name) ?? []
  if (letters === undefined) return undefined
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { row: Number(row), column }
}

export function areaOf(ref = ''): Area | undefined {
  const [first, last] = ref.split(':').map(positionOf)
  return first && last && { top: first.row, left: first.column, bottom: last.row, right: last.column }
}

const columnName = (column: number): string =>
  column <= 0 ? '' : columnName(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))

/** Cells of the same class, column and format get the same format. */
function rowClass({ area, headerRows, totalRows, style }: Table, row: number, hidden: number): string {
  const top = area.top + headerRows
  const bottom = area.bottom - totalRows
  if (row < top || row > bottom) return `${area.left},${row}`
  const stripe = (row - hidden - top) % (style.rowStripes[0] + style.rowStripes[1])
  return `${area.left},${area.top} ${stripe} ${row === top} ${row === bottom}`
}

/** A small file can name a large area, and several tables of it: no more cells are added. */
const maxMissing = 100_000

/** Cells that the sheet lacks are added: an empty cell of a table has its fill and lines as well. */
function styleCells(sheet: string, tables: readonly Table[], formats: CellFormats): string {
  const fromLeft = tables.toSorted((a, b) => a.area.left - b.area.left)
  const hidden = new Map<Table, number>()
  let row = 0
  let next = 1
  let prefix = ''
  let ofRow: readonly Table[] = []
  let missing = 0
  const known = new Map<string, number>()

  const formatAt = (column: number, format: number): number | undefined => {
    const table = ofRow.find(({ area }) => column >= area.left && column <= area.right)
    if (!table) return undefined
    const above = hidden.get(table) ?? 0
    const key = `${rowClass(table, row, above)} ${column} ${format}`
    const index = known.get(key) ?? formats.indexOf(format, lookOf(table, row, column, above))
    known.set(key, index)
    return index
  }
  /** Adds the cells before a column. */
  const fillUpTo = (column: number, offset: number, editor: XmlEditor) => {
    let added = ''
    for (const { area } of ofRow) {
      const end = Math.min(area.right + 1, column)
      for (let each = Math.max(area.left, next); each < end && missing < maxMissing; each++, missing++)
        added += `<${prefix}c r="${columnName(each)}${row}" s="${formatAt(each, 0)}"/>`
    }
    if (added !== '') editor.replace(offset, offset, added)
  }
  const openRow = ({ attributes }: XmlElement) => {
    row = Number(attributes.r ?? row + 1)
    next = 1
    ofRow = fromLeft.filter(({ area }) => row >= area.top && row <= area.bottom)
  }
  const openCell = (element: XmlElement, editor: XmlEditor) => {
    if (ofRow.length === 0) return
    const column = positionOf(element.attributes.r ?? '')?.column ?? next
    fillUpTo(column, element.start, editor)
    next = column + 1
    const format = formatAt(column, Number(element.attributes.s ?? 0))
    if (format === undefined) return
    // Most cells have no format; an insertion is cheaper than a new tag.
    const at = element.end - (element.isSelfClosing ? 2 : 1)
    if (element.attributes.s === undefined) editor.replace(at, at, ` s="${format}"`)
    else editor.setAttributes(element, { s: String(format) })
  }

  return editXml(sheet, {
    open(element, editor) {
      const name = element.name.slice(element.name.indexOf(':') + 1)
      prefix = element.name.slice(0, -name.length)
      if (name === 'row') openRow(element)
      else if (name === 'c') openCell(element, editor)
    },
    close(element, end, editor) {
      if (!/^(?:\w+:)?row$/.test(element.name) || ofRow.length === 0) return
      prefix = element.name.slice(0, -'row'.length)
      // An empty element has no end tag to insert before.
      if (!element.isSelfClosing) fillUpTo(Number.POSITIVE_INFINITY, end.start, editor)
      if (isTrue(element.attributes.hidden))
        for (const table of ofRow)
          if (row >= table.area.top + table.headerRows) hidden.set(table, (hidden.get(table) ?? 0) + 1)
    },
  })
}
