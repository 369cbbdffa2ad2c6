import { elementAt } from '../element-at.ts'
import { union } from '../geometry.ts'
import { axis, compose, type Item, sameLine } from './item.ts'
import { isOnLine, parseItems } from './parse.ts'
import type { MathRow } from './rows.ts'
import { isCloser, isOpener } from './tree.ts'

// Merges the lines of one display formula: their relation signs are aligned, and the lines are closer together than
// separate formulas would be. They become one item, together with the parts left and right of the relations.

/** Maximum space between two such lines, in ems: TeX sets a third of an em, authors often add some. */
const widestRoom = 1

const relation = /^[=<>≤≥≠≈∼≃≅≡∝→⇒⟹⟶∈⊂⊆≔≜⩽⩾≪≫↦⇔]$/
const sign = /^[+\-−–±×⋅·]$/
const stop = /^[.,;]$/
const equationNumber = /^\([\dA-Z]{1,4}(?:\.\d{1,4})*[a-z]?\)$/

interface Line {
  row: MathRow
  items: Item[]
  /** Position of the relation sign. */
  at: number | undefined
  /** Begins with an operator, as continuation lines do. */
  goesOn: boolean
  y0: number
  y1: number
  x0: number
}

interface Group {
  at: number
  lines: Line[]
}

/** Takes rows with their formulas; adds each aligned formula as one more entry. */
export function joinAligned(found: readonly { row: MathRow; stretches: Item[][] }[]): Item[][] {
  const lines = found.flatMap((f) => displayLine(f.row, f.stretches) ?? []).sort((a, b) => a.row.y - b.row.y)
  const rows = found.map((f) => f.row)
  const gone = new Set<MathRow>()
  const out: Item[][] = []
  for (const { at, lines: own } of groupsOf(lines)) {
    const y = own.length > 1 ? baselineOf(own, rows) : undefined
    if (y === undefined) continue
    for (const line of own) gone.add(line.row)
    out.push([composed(own, at, y)])
  }
  return [...found.filter((f) => !gone.has(f.row)).flatMap((f) => f.stretches), ...out]
}

/** A row that contains only a formula. */
function displayLine(row: MathRow, stretches: readonly Item[][]): Line | undefined {
  if (stretches.length === 0) return undefined
  const covered = new Set(stretches.flat())
  const last = row.items.findLastIndex((i) => covered.has(i))
  const first = row.items.findIndex((i) => covered.has(i))
  const isPart = (i: Item, n: number): boolean =>
    covered.has(i) ||
    (n < first && (relation.test(i.text) || sign.test(i.text))) ||
    (n > last && stop.test(i.text))
  if (!row.items.every(isPart)) return undefined
  const items = row.items.filter((i, n) => n <= last || covered.has(i))
  const text = items.find((i) => isOnLine(i, row.y, row.size))?.text ?? ''
  const { x0, y0, y1 } = union(items.map((i) => i.box))
  return { row, items, at: relationOf(row, items), goesOn: sign.test(text), x0, y0, y1 }
}

/** The first relation sign outside brackets. */
function relationOf(row: MathRow, items: readonly Item[]): number | undefined {
  let depth = 0
  for (const i of items) {
    if (isOpener(i.text)) depth++
    else if (isCloser(i.text)) depth--
    else if (depth === 0 && relation.test(i.text) && isOnLine(i, row.y, row.size)) return i.box.x0
  }
  return undefined
}

function groupsOf(lines: readonly Line[]): Group[] {
  const out: Group[] = []
  let open: Group[] = []
  for (const line of lines) {
    const { size, y } = line.row
    open = open.filter((g) => line.y0 - elementAt(g.lines, -1).y1 < widestRoom * size)
    const group = open.find((g) => {
      const isBelow = y - elementAt(g.lines, -1).row.y > size
      const isRest = line.goesOn && line.at === undefined && line.x0 - g.at > -sameLine * size
      return isBelow && (isRest || (line.at !== undefined && Math.abs(line.at - g.at) < sameLine * size))
    })
    if (group) group.lines.push(line)
    else if (line.at !== undefined) {
      const made = { at: line.at, lines: [line] }
      out.push(made)
      open.push(made)
    }
  }
  return out
}

/**
 * Baseline of the whole formula: that of its number, or of its middle. Undefined if each line has its own number, and
 * in a table, where other cells are beside all lines.
 */
function baselineOf(lines: readonly Line[], rows: readonly MathRow[]): number | undefined {
  const own = new Set(lines.map((l) => l.row))
  const [first, last] = [elementAt(lines, 0), elementAt(lines, -1)]
  const { size } = first.row
  const beside = rows.filter(
    (r) => !own.has(r) && r.y > first.row.y - size / 2 && r.y < last.row.y + size / 2,
  )
  const isNumber = (r: MathRow): boolean =>
    (r.items[0]?.box.x0 ?? 0) > first.x0 && equationNumber.test(r.items.map((i) => i.text).join(''))
  const numbers = beside.filter(isNumber)
  const others = beside.filter((r) => !isNumber(r))
  const isAlone = ({ row }: Line): boolean => !others.some((r) => Math.abs(r.y - row.y) < sameLine * size)
  if (numbers.length > 1 || !lines.some(isAlone)) return undefined
  return numbers[0]?.y ?? (first.row.y + last.row.y) / 2
}

function composed(lines: readonly Line[], at: number, y: number): Item {
  const { size } = elementAt(lines, 0).row
  const rows = lines.map(({ row, items }) => {
    const isLeft = (i: Item): boolean => i.box.x0 < at - sameLine * size
    return [items.filter(isLeft), items.filter((i) => !isLeft(i))].map((side) => parseItems(side, row))
  })
  const node = { kind: 'grid' as const, open: '', close: '', rows }
  const made = compose(
    lines.flatMap((l) => l.items),
    node,
    { y, size, isLoose: true },
  )
  return { ...made, middle: y - axis * size }
}
