import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { sameLine } from '../lines/line-rows.ts'
import { usualSize } from '../typography.ts'
import { copyTable, type FoundCell, type FoundTable } from './table.ts'

// Tables ruled only around and between columns: a band of cells that hold lines in step with each
// other is really several rows.

/** Dots lead from cell to cell where this share of the texts ends with them. */
const leastLed = 0.3
/** So many cells in step, at least half of all, are rows however close their lines are set. */
const manyCells = 4
const manyShare = 0.5
/** Fewer lines may be in step by chance, */
const leastLines = 3
/** unless two cells in five are numbers, which do not wrap. */
const manyNumbers = 0.4
/** Cells and lines that are all in step. */
const cellsInStep = 3
const linesInStep = 4
/** Lines of running text are set closer than this, in ems. */
const textPitch = 1.36
/** Running text fills its cell: the usual line takes more than this share of the width. */
const fullLine = 0.78
/** Where there are many cells in step, half of them may hold running text. */
const mostWrapping = 0.5
/** A column of numbers: most of its texts, and three of them. */
const numericShare = 0.6
const leastNumbers = 3
/** Lines that several cells share: three lines, or two among many cells; most of all lines, or half where numbers or dots show rows. */
const leastShared = 3
const leastSharedOfMany = 2
const sharedShare = 0.75
const sharedShareOfNumbers = 0.5
/** A line further from the one above than the usual step begins a row; one that a row began with takes in what is nearer. */
const farFromAbove = 1.6
const farFromLone = 1.25
/** Height of capitals with the room above them, in ems: a row begins there above its first baseline. */
const aboveBaseline = 0.95

export function splitRows(given: FoundTable): FoundTable {
  const table = copyTable(given)
  for (let row = table.ys.length - 2; row >= 0; row--) {
    const cells = table.cells.filter((c) => c.row === row && c.rowSpan === 1)
    if (cells.length < 2 || table.cells.some((c) => c.row < row && c.row + c.rowSpan > row)) continue
    const starts = rowStarts(cells)
    if (starts.length > 1) splitRow(table, row, cells, starts)
  }
  return table
}

/** Whether the cells of a row hold what are really several rows. */
export const holdsRows = (cells: readonly FoundCell[]): boolean => rowStarts(cells).length > 1

function baselines(textRuns: readonly TextRun[]): number[] {
  const out: number[] = []
  for (const y of textRuns.map((p) => p.baseline).sort((a, b) => a - b))
    if (out.length === 0 || y - (out.at(-1) as number) > sameLine) out.push(y)
  return out
}

const leaders = /[\s.…]{4,}$/

/** Without the dots that lead on to the next cell. */
const withoutLeaders = (p: TextRun): string => p.text.replace(leaders, '')

/** How wide the text is without such dots. */
const inkWidth = (p: TextRun): number =>
  (p.box.x1 - p.box.x0) * (withoutLeaders(p).length / Math.max(1, p.text.length))

const isNumber = (p: TextRun): boolean => /^[\s\d.,%()€$£+±−-]+$/.test(withoutLeaders(p))

/** Baselines at which a new row begins, or just the first one. */
function rowStarts(cells: readonly FoundCell[]): number[] {
  const filled = cells.filter((c) => c.textRuns.length > 0 && c.tables.length === 0)
  const perCell = filled.map((c) => baselines(c.textRuns))
  const busy = perCell.filter((b) => b.length >= 2)
  const all = baselines(filled.flatMap((c) => c.textRuns))
  const first = all[0]
  if (first === undefined) return []
  // So many cells in step are rows, however close their lines are set.
  const texts = filled.flatMap((c) => c.textRuns)
  const numberShare = texts.filter(isNumber).length / texts.length
  // Dots lead from cell to cell of one row.
  const led = texts.filter((p) => leaders.test(p.text)).length >= leastLed * texts.length
  const labelled =
    busy.length > 0 &&
    filled.filter(
      (c) =>
        c.columnSpan > 1 &&
        c.textRuns.filter((p) => Math.abs(p.baseline - (all.at(-1) ?? 0)) <= sameLine).length > 1,
    ).length >= 2
  const many =
    busy.length >= manyCells &&
    busy.length >= manyShare * filled.length &&
    (led || (all.length >= leastLines ? numberShare > manyNumbers : labelled))
  if (busy.length < 2 || (all.length < leastLines && !many)) return [first]
  // So are as many lines in every cell, each beside the others, where one holds numbers or there are three.
  const inStep =
    perCell.every((b) => b.length === all.length) &&
    (filled.some((c) => c.textRuns.every(isNumber)) ||
      (filled.length >= cellsInStep && all.length >= linesInStep))
  // Lines set as close as running text are lines of one cell; rows keep a little distance.
  const size = median(filled.flatMap((c) => c.textRuns.map((p) => p.size)))
  const pitch = median(all.slice(1).map((v, k) => v - (all[k] as number)))
  if (pitch < textPitch * size && !many && !inStep) return [first]
  // Running text in a cell wraps: its lines fill the cell. Rows of a list do not, nor do numbers.
  const wraps = filled.filter((c) => {
    const wide = c.box.x1 - c.box.x0
    return (
      baselines(c.textRuns).length >= 2 &&
      median(c.textRuns.map(inkWidth)) > fullLine * wide &&
      !c.textRuns.every(isNumber)
    )
  })
  if (wraps.length > (many ? mostWrapping * filled.length : 0)) return [first]
  const hits = (y: number): number => perCell.filter((b) => b.some((v) => Math.abs(v - y) <= sameLine)).length
  const shared = all.filter((y) => hits(y) >= 2)
  const numeric = filled.filter(
    (c) =>
      c.textRuns.filter(isNumber).length >= numericShare * c.textRuns.length &&
      c.textRuns.length >= leastNumbers,
  )
  const share = numeric.length > 0 || led ? sharedShareOfNumbers : sharedShare
  if (shared.length < (many ? leastSharedOfMany : leastShared) || shared.length < share * all.length)
    return [first]
  // Lines that stand alone belong to the row they are nearest to, but never before the first.
  const starts: number[] = []
  for (const [i, y] of all.entries()) {
    const alone = hits(y) < 2
    const previous = all[i - 1]
    const next = all[i + 1]
    if (!alone || previous === undefined) starts.push(y)
    else if (next !== undefined && hits(next) >= 2 && next - y < y - previous - 1) starts.push(y)
    else if (y - previous > farFromAbove * median(all.slice(1).map((v, k) => v - (all[k] as number))))
      starts.push(y)
  }
  // A lone line that opened a row takes the shared line below with it.
  return starts.filter((y, i) => {
    const before = starts[i - 1]
    if (before === undefined || hits(before) >= 2 || hits(y) < 2) return true
    const step = median(all.slice(1).map((v, k) => v - (all[k] as number)))
    return y - before > farFromLone * step
  })
}

function splitRow(
  table: FoundTable,
  row: number,
  cells: readonly FoundCell[],
  starts: readonly number[],
): void {
  const top = table.ys[row] as number
  const bottom = table.ys[row + 1] as number
  const sizeAt = cells.flatMap((c) => c.textRuns)[0]?.size ?? usualSize
  const edges = [top, ...starts.slice(1).map((y) => y - aboveBaseline * sizeAt), bottom]
  for (let i = 1; i < edges.length; i++) edges[i] = Math.max(edges[i] as number, (edges[i - 1] as number) + 1)
  const added = starts.length - 1
  for (const c of table.cells) if (c.row > row) c.row += added
  table.ys.splice(row + 1, 0, ...edges.slice(1, -1))
  table.cells = table.cells.filter((c) => !cells.includes(c))
  for (const cell of cells)
    for (let i = 0; i < starts.length; i++) {
      const y0 = edges[i] as number
      const y1 = edges[i + 1] as number
      const { top: t, bottom: b, left, right } = cell.borders
      table.cells.push({
        ...cell,
        row: row + i,
        box: { ...cell.box, y0, y1 },
        textRuns: cell.textRuns.filter(
          (p) =>
            p.baseline >= (i === 0 ? -Infinity : (starts[i] as number) - sameLine) &&
            p.baseline < (starts[i + 1] ?? Infinity) - sameLine,
        ),
        pictures: i === 0 ? cell.pictures : [],
        tables: [],
        borders: {
          ...(i === 0 && t ? { top: t } : {}),
          ...(i === starts.length - 1 && b ? { bottom: b } : {}),
          ...(left ? { left } : {}),
          ...(right ? { right } : {}),
        },
      })
    }
}
