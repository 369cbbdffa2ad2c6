import type { XmlElement, XmlVisitor } from '../../../../package/edit-xml.ts'
import { decodeReferences } from '../../../../package/xml-references.ts'
import type { Attributes } from '../style-sheet.ts'
import type { WordDocument } from '../word-document.ts'
import { applyWidths } from './apply-widths.ts'
import { createCellReader } from './cell-reader.ts'
import { type OpenCell, type OpenTable, openTable, readTwips, readWidth } from './open-table.ts'
import { sectionWidth } from './section-width.ts'

// Word computes the column widths of a table from its text, unless its layout is fixed, and stores them in `w:tblGrid`.
// LibreOffice uses the stored values. Programs that write documents without laying them out store arbitrary values, so
// the widths of each table are computed here. A table with content of unknown width is not changed. The page width is
// known only after the tables: sections end with their properties.

const unknownContent: ReadonlySet<string> = new Set([
  'm:oMath',
  'mc:AlternateContent',
  'w:altChunk',
  'w:del',
  'w:noWrap',
  'w:numPr',
  'w:object',
  'w:pict',
  'w:pPrChange',
  'w:ptab',
  'w:ruby',
  'w:smallCaps',
  'w:sym',
  'w:tblCellSpacing',
  'w:tblGridChange',
  'w:tblPrChange',
  'w:tblPrEx',
  'w:tcPrChange',
  'w:textDirection',
  'wp:anchor',
])

export function tableVisitor(document: WordDocument): XmlVisitor {
  const path: XmlElement[] = []
  const open: OpenTable[] = []
  let complete: OpenTable[] = []
  const reader = createCellReader(document)
  let section = new Map<string, Attributes>()

  function openInTable(table: OpenTable, element: XmlElement): void {
    const { name } = element
    const parent = path.at(-1)?.name
    const cell = table.cells.at(-1)
    if (unknownContent.has(name)) table.isUnknown = true
    else if (parent === 'w:tblPr') readTableProperty(table, element)
    else if (parent === 'w:tblCellMar') readPadding(table.padding, element)
    else if (parent === 'w:tcPr' && cell) readCellProperty(cell, element)
    else if (parent === 'w:tcMar' && cell) readPadding(cell.padding, element)
    else if (parent === 'w:pPr') reader.setParagraphProperty(element)
    else if (parent === 'w:rPr' && path.at(-2)?.name === 'w:r') reader.setRunProperty(element)
    else if (name === 'w:p') reader.openParagraph()
    else if (name === 'w:r') reader.openRun()
    else if (name === 'w:tc') {
      reader.openCell()
      table.cells.push({ column: table.column, span: 1, min: 0, max: 0, padding: {} })
    } else if (parent === 'w:r' || parent === 'wp:inline') reader.readContent(table, element)
    else readRow(table, element)
  }

  return {
    open(element) {
      const table = open.at(-1)
      if (element.name === 'w:tbl') {
        // The width of a nested table depends on its cell, and vice versa.
        if (table) table.isUnknown = true
        open.push({ ...openTable(), isUnknown: open.length > 0 })
      } else if (table && open.length === 1) openInTable(table, element)
      else if (isSection(element, path.at(-1))) section = new Map()
      else if (path.at(-1)?.name === 'w:sectPr') section.set(element.name, element.attributes)
      path.push(element)
    },
    close(element, end, editor) {
      path.pop()
      const table = open.at(-1)
      const cell = table?.cells.at(-1)
      if (element.name === 'w:tbl') {
        open.pop()
        if (table && !table.isUnknown) complete.push(table)
      } else if (table && open.length === 1) {
        if (element.name === 'w:t')
          reader.readText(table, decodeReferences(editor.source(element.end, end.start)))
        else if (element.name === 'w:tblGrid') table.grid = { start: element.start, end: end.end }
        else if (element.name === 'w:tc' && cell) {
          reader.closeCell(table, cell)
          table.column += cell.span
          table.columns = Math.max(table.columns, table.column)
        }
      } else if (isSection(element, path.at(-1)) || element.name === 'w:body') {
        // The last section may have no properties.
        const width = sectionWidth(element.name === 'w:body' ? new Map() : section)
        if (width !== undefined) for (const each of complete) applyWidths(each, width, document, editor)
        complete = []
      }
    },
  }
}

/** Excludes the previous properties of a section, which tracked changes keep. */
const isSection = ({ name }: XmlElement, parent: XmlElement | undefined): boolean =>
  name === 'w:sectPr' && parent?.name !== 'w:sectPrChange'

function readTableProperty(table: OpenTable, element: XmlElement): void {
  const { name, attributes } = element
  if (name === 'w:tblStyle') table.style = attributes['w:val']
  else if (name === 'w:tblLook') table.look = attributes
  else if (name === 'w:tblW') table.width = element
  else if (name === 'w:tblInd') table.indent = readTwips(attributes, 'w:w')
  else if (name === 'w:tblLayout') table.isUnknown ||= attributes['w:type'] === 'fixed'
}

function readRow(table: OpenTable, { name, attributes }: XmlElement): void {
  if (name === 'w:gridCol') table.stored.push(readTwips(attributes, 'w:w'))
  else if (name === 'w:gridBefore') table.column = Math.max(0, readTwips(attributes, 'w:val'))
  else if (name === 'w:tr') {
    table.rows += 1
    table.column = 0
  }
}

function readCellProperty(cell: OpenCell, element: XmlElement): void {
  if (element.name === 'w:gridSpan') cell.span = Math.max(1, readTwips(element.attributes, 'w:val'))
  else if (element.name === 'w:tcW') {
    cell.width = element
    cell.wanted = readWidth(element)
  }
}

function readPadding(padding: OpenTable['padding'], { name, attributes }: XmlElement): void {
  if (name === 'w:left' || name === 'w:start') padding.left = readTwips(attributes, 'w:w')
  else if (name === 'w:right' || name === 'w:end') padding.right = readTwips(attributes, 'w:w')
}
