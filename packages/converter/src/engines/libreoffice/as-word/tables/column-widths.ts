// Word's column widths for a table with automatic layout. Every column gets at least its minimum, the widest
// unbreakable word. If the preferred widths do not fit, each column gives up a share of its width above the minimum; if
// the table is wider, columns without a preferred width grow first. Widths are in twips, a twentieth of a point.

export interface Cell {
  column: number
  span: number
  /** The widest word plus the cell's padding. */
  min: number
  /** The widest line if no line is broken. */
  max: number
  /** The cell's preferred width: in twips, or as a share of the table. */
  wanted?: Width | undefined
}

export type Width = { twips: number } | { share: number }

export interface TableSize {
  /** The table's preferred width; undefined for a table that is as wide as its columns. */
  wanted: number | undefined
  /** Maximum width. */
  available: number
}

interface Column {
  min: number
  preferred: number
  isFixed: boolean
}

/** Undefined if the words do not fit: in this case Word breaks words by unknown rules. */
export function columnWidths(
  cells: readonly Cell[],
  count: number,
  { wanted, available }: TableSize,
): number[] | undefined {
  const columns = Array.from({ length: count }, (_, index) => singleColumn(cells, index, wanted ?? available))
  for (const cell of cells.filter(({ span }) => span > 1).toSorted((a, b) => a.span - b.span))
    widen(columns.slice(cell.column, cell.column + cell.span), cell, wanted ?? available)
  const minimum = sum(columns, ({ min }) => min)
  const preferred = sum(columns, (column) => column.preferred)
  const width = Math.max(Math.min(wanted ?? preferred, available), minimum)
  if (minimum > available) return undefined
  return preferred >= width ? shrink(columns, width) : grow(columns, width)
}

function singleColumn(cells: readonly Cell[], index: number, table: number): Column {
  const own = cells.filter(({ column, span }) => column === index && span === 1)
  const min = largest(own, (cell) => cell.min)
  const fixed = own.filter(({ wanted }) => wanted)
  const preferred =
    fixed.length > 0
      ? largest(fixed, ({ wanted }) => (wanted ? twipsOf(wanted, table) : 0))
      : largest(own, ({ max }) => max)
  return { min, preferred: Math.max(min, preferred), isFixed: fixed.length > 0 }
}

const twipsOf = (width: Width, table: number): number =>
  'twips' in width ? width.twips : width.share * table

/** A cell that spans several columns widens them in proportion to their preferred widths. */
function widen(columns: readonly Column[], cell: Cell, table: number): void {
  const extend = (key: 'min' | 'preferred', goal: number) => {
    const now = sum(columns, (column) => column[key])
    const weight = sum(columns, ({ preferred }) => preferred)
    if (goal <= now) return
    for (const column of columns)
      column[key] += (goal - now) * (weight > 0 ? column.preferred / weight : 1 / columns.length)
  }
  extend('preferred', cell.wanted ? twipsOf(cell.wanted, table) : cell.max)
  extend('min', cell.min)
  for (const column of columns) {
    column.preferred = Math.max(column.preferred, column.min)
    if (cell.wanted) column.isFixed = true
  }
}

function shrink(columns: readonly Column[], width: number): number[] {
  const minimum = sum(columns, ({ min }) => min)
  const slack = sum(columns, ({ min, preferred }) => preferred - min)
  const kept = slack === 0 ? 0 : (width - minimum) / slack
  return columns.map(({ min, preferred }) => min + (preferred - min) * kept)
}

function grow(columns: readonly Column[], width: number): number[] {
  const isFree = ({ isFixed }: Column) => columns.every((column) => column.isFixed) || !isFixed
  const free = sum(columns.filter(isFree), ({ preferred }) => preferred)
  const extra = width - sum(columns, ({ preferred }) => preferred)
  const share = (column: Column) => (free > 0 ? column.preferred / free : 1 / columns.filter(isFree).length)
  return columns.map((column) => column.preferred + (isFree(column) ? extra * share(column) : 0))
}

const sum = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((total, item) => total + value(item), 0)

/** Not Math.max(...): a table may have more cells than a function call may have arguments. */
const largest = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((max, item) => Math.max(max, value(item)), 0)
