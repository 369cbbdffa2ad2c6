import { childOf, type XmlNode } from '../../../../package/edit-xml.ts'
import { builtInStyle } from './built-in-styles.ts'

// What a table style says about a cell: by the part of the table that it is in, later parts over earlier ones.

/** `style` is a border style; colours are the attributes of a colour element. */
export interface Line {
  style: string
  colour: string
}

export type Edges = Partial<Record<'left' | 'right' | 'top' | 'bottom' | 'vertical' | 'horizontal', Line>>

export interface Look {
  isBold?: boolean
  colour?: string
  fill?: string
  edges?: Edges
}

const elementNames = [
  'wholeTable',
  'firstColumnStripe',
  'secondColumnStripe',
  'firstRowStripe',
  'secondRowStripe',
  'lastColumn',
  'firstColumn',
  'headerRow',
  'totalRow',
] as const
type ElementName = (typeof elementNames)[number]
export type Elements = Partial<Record<ElementName, Look>>

export interface TableStyle {
  elements: Elements
  /** Rows of the first and of the second stripe. */
  rowStripes: readonly [number, number]
  columnStripes: readonly [number, number]
}

export interface Area {
  top: number
  left: number
  bottom: number
  right: number
}

export interface Table {
  area: Area
  headerRows: number
  totalRows: number
  style: TableStyle
  shows: { firstColumn: boolean; lastColumn: boolean; rowStripes: boolean; columnStripes: boolean }
}

/** `hidden` counts the hidden rows of the table above the cell: stripes alternate over visible rows. */
export function lookOf(table: Table, row: number, column: number, hidden: number): Look {
  const { area, style, shows, headerRows, totalRows } = table
  const body = { ...area, top: area.top + headerRows, bottom: area.bottom - totalRows }
  const isBody = row >= body.top && row <= body.bottom
  const rowBand = bandAt(row - hidden - body.top, style.rowStripes)
  const columnBand = bandAt(column - area.left, style.columnStripes)
  const rowsOfBand = {
    ...area,
    top: body.top + rowBand.first + hidden,
    bottom: body.top + rowBand.last + hidden,
  }
  const columnsOfBand = { ...body, left: area.left + columnBand.first, right: area.left + columnBand.last }
  const areas: Record<ElementName, Area | false> = {
    wholeTable: area,
    firstColumnStripe: shows.columnStripes && isBody && columnBand.isFirst && columnsOfBand,
    secondColumnStripe: shows.columnStripes && isBody && !columnBand.isFirst && columnsOfBand,
    firstRowStripe: shows.rowStripes && isBody && rowBand.isFirst && rowsOfBand,
    secondRowStripe: shows.rowStripes && isBody && !rowBand.isFirst && rowsOfBand,
    lastColumn: shows.lastColumn && column === area.right && { ...area, left: area.right },
    firstColumn: shows.firstColumn && column === area.left && { ...area, right: area.left },
    headerRow: row < body.top && { ...area, bottom: body.top - 1 },
    totalRow: row > body.bottom && { ...area, top: body.bottom + 1 },
  }
  let look: Look = {}
  for (const name of elementNames) {
    const own = style.elements[name]
    const place = areas[name]
    if (own && place)
      look = { ...look, ...own, edges: { ...look.edges, ...edgesAt(own.edges ?? {}, place, row, column) } }
  }
  return look
}

function bandAt(index: number, [first, second]: readonly [number, number]) {
  const start = Math.floor(index / (first + second)) * (first + second)
  const isFirst = index - start < first
  return isFirst
    ? { isFirst, first: start, last: start + first - 1 }
    : { isFirst, first: start + first, last: start + first + second - 1 }
}

/** The lines around one cell of an area. */
function edgesAt(edges: Edges, area: Area, row: number, column: number): Edges {
  const sides = {
    left: column === area.left ? edges.left : edges.vertical,
    right: column === area.right ? edges.right : edges.vertical,
    top: row === area.top ? edges.top : edges.horizontal,
    bottom: row === area.bottom ? edges.bottom : edges.horizontal,
  }
  return Object.fromEntries(Object.entries(sides).filter(([, of]) => of !== undefined))
}

/** The style of this name: one of the workbook, whose elements are differential formats, or a built-in one. */
export function readTableStyle(styleSheet: XmlNode, name: string): TableStyle | undefined {
  const own = childOf(styleSheet, 'tableStyles')?.children.find(({ attributes }) => attributes.name === name)
  if (!own) return builtInStyle(name)
  const formats = childOf(styleSheet, 'dxfs')?.children ?? []
  const elements: Elements = {}
  const sizes: Partial<Record<string, number>> = {}
  for (const { attributes } of own.children) {
    const known = elementNames.find((each) => each === attributes.type)
    const format = formats[Number(attributes.dxfId ?? -1)]
    if (!known) continue
    if (format) elements[known] = readLook(format)
    const size = Number(attributes.size)
    if (size >= 1 && size <= 9) sizes[known] = size
  }
  return {
    elements,
    rowStripes: [sizes.firstRowStripe ?? 1, sizes.secondRowStripe ?? 1],
    columnStripes: [sizes.firstColumnStripe ?? 1, sizes.secondColumnStripe ?? 1],
  }
}

function readLook(format: XmlNode): Look {
  const font = childOf(format, 'font')
  const isBold = childOf(font, 'b') && childOf(font, 'b')?.attributes.val !== '0'
  const colour = colourOf(childOf(font, 'color'))
  const pattern = childOf(childOf(format, 'fill'), 'patternFill')
  // A differential format has the colour of a solid fill as its background.
  const fill = colourOf(childOf(pattern, 'bgColor')) ?? colourOf(childOf(pattern, 'fgColor'))
  const edges: Edges = {}
  for (const { name, attributes, children } of childOf(format, 'border')?.children ?? []) {
    const edge = edgeNames.find((each) => each === name)
    const lineColour = colourOf(children[0])
    if (edge && attributes.style && attributes.style !== 'none')
      edges[edge] = { style: attributes.style, colour: lineColour ?? 'auto="1"' }
  }
  return { ...(isBold ? { isBold } : {}), ...(colour ? { colour } : {}), ...(fill ? { fill } : {}), edges }
}

const edgeNames = ['left', 'right', 'top', 'bottom', 'vertical', 'horizontal'] as const

/** Only what a colour element may have. */
export function colourOf(node: XmlNode | undefined): string | undefined {
  const attributes = Object.entries(node?.attributes ?? {}).filter(
    ([name, value]) => ['auto', 'indexed', 'rgb', 'theme', 'tint'].includes(name) && /^[\w.+-]+$/.test(value),
  )
  return attributes.length === 0
    ? undefined
    : attributes.map(([name, value]) => `${name}="${value}"`).join(' ')
}
