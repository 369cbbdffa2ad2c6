import { elementAt } from '../element-at.ts'
import { union } from '../geometry.ts'
import { axis, compose, type Item, sameBaseline } from './item.ts'
import { isOnLine, parseItems } from './parse.ts'
import type { MathRow } from './rows.ts'
import { isCloser, isOpener } from './tree.ts'

// Lines of one display formula, one below the other: their relations stand at one place, and the lines are closer to
// each other than formulas of their own would be. They become one item, with what is left and right of it.

/** Relations of aligned lines begin at one place, give or take rounding; in ems. */
const samePlace = 0.08
/** Room between two such lines, in ems: TeX sets a third of an em, authors ask for a little more. */
const widestRoom = 1
/** What goes on below begins right of the relation, not further than this; in ems. */
const farthestRest = 8

const relation = /^[=<>≤≥≠≈∼≃≅≡∝→⇒⟹⟶∈⊂⊆≔≜⩽⩾≪≫↦⇔]$/
const sign = /^[+\-−–±×⋅·]$/
const stop = /^[.,;]$/
const equationNumber = /^\([\dA-Z]{1,4}(?:\.\d{1,4})*[a-z]?\)$/

interface Line {
  row: MathRow
  items: Item[]
  /** Where its relation begins. */
  at: number | undefined
  /** It begins with a sign, as the rest of a formula does. */
  goesOn: boolean
  y0: number
  y1: number
  x0: number
}

interface Group {
  at: number
  lines: Line[]
}

/** Rows with the stretches of them that are formulas; what is aligned comes as one more stretch. */
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

/** A row that has nothing but a formula. */
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

/** The first one outside of brackets. */
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
      const behind = line.x0 - g.at
      const isRest =
        line.goesOn && line.at === undefined && behind > -samePlace * size && behind < farthestRest * size
      return isBelow && (isRest || (line.at !== undefined && Math.abs(line.at - g.at) < samePlace * size))
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
 * Where the whole formula stands: at the height of its number, or of its middle. None where each line has a number of
 * its own, nor in a table, where other cells stand beside all of the lines.
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
  const isAlone = ({ row }: Line): boolean => !others.some((r) => Math.abs(r.y - row.y) < sameBaseline * size)
  if (numbers.length > 1 || !lines.some(isAlone)) return undefined
  return numbers[0]?.y ?? (first.row.y + last.row.y) / 2
}

function composed(lines: readonly Line[], at: number, y: number): Item {
  const { size } = elementAt(lines, 0).row
  const rows = lines.map(({ row, items }) => {
    const isLeft = (i: Item): boolean => i.box.x0 < at - samePlace * size
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
