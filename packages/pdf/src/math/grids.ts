import { apart, attached, axis, bearing, compose, type Item, scriptSize } from './item.ts'
import { parseItems } from './parse.ts'
import { isCloser, isOpener } from './tree.ts'

// Rows between tall delimiters: matrices, binomials, and cases after a single brace.

/** Maximum width of cases without a closing brace, which extend to the end of their line, in ems. */
const longestCases = 30

export function findGrids(given: readonly Item[]): Item[] {
  let items = [...given]
  const openers = given
    .filter((i) => i.isLoose && (isOpener(i.text) || i.text === '|'))
    .sort((a, b) => a.box.y1 - a.box.y0 - (b.box.y1 - b.box.y0))
  for (const open of openers) {
    if (!items.includes(open)) continue
    const close = closerOf(open, items)
    if (!close && open.text !== '{') continue
    const inside = items.filter((i) => i !== open && i !== close && isInside(i, open, close))
    const rows = rowsOf(inside)
    if (rows.length < 2) continue
    const made = gridOf(open, close, rows)
    const gone = new Set([open, ...(close ? [close] : []), ...inside])
    items = [...items.filter((i) => !gone.has(i)), made]
  }
  return items
}

function closerOf(open: Item, items: readonly Item[]): Item | undefined {
  return items
    .filter(
      (i) =>
        i.isLoose &&
        (isCloser(i.text) || (open.text === '|' && i.text === '|')) &&
        i.box.x0 > open.box.x1 &&
        Math.abs(i.middle - open.middle) < attached * open.size &&
        Math.abs(i.box.y1 - i.box.y0 - (open.box.y1 - open.box.y0)) < attached * open.size,
    )
    .sort((a, b) => a.box.x0 - b.box.x0)[0]
}

function isInside(i: Item, open: Item, close: Item | undefined): boolean {
  const middle = i.middle
  const right = close ? close.box.x0 + bearing : open.box.x1 + longestCases * open.size
  return (
    i.box.x0 > open.box.x1 - bearing &&
    i.box.x1 < right &&
    middle > open.box.y0 - attached * open.size &&
    middle < open.box.y1 + attached * open.size
  )
}

/** Groups by the baselines of the largest symbols; smaller ones go to the nearest row. */
function rowsOf(items: readonly Item[]): Item[][] {
  const size = Math.max(0, ...items.map((i) => i.size))
  const main = items.filter((i) => i.size > scriptSize * size).sort((a, b) => a.y - b.y)
  const lines: { y: number; items: Item[] }[] = []
  for (const i of main) {
    const last = lines.at(-1)
    if (last && i.y - last.y < attached * size) last.items.push(i)
    else lines.push({ y: i.y, items: [i] })
  }
  for (const line of lines.slice(1))
    if (line.y - (lines[lines.indexOf(line) - 1]?.y ?? 0) < apart * size) return []
  for (const i of items) {
    if (main.includes(i)) continue
    const nearest = lines.toSorted((a, b) => Math.abs(a.y - i.y) - Math.abs(b.y - i.y))[0]
    nearest?.items.push(i)
  }
  return lines.map((l) => l.items.sort((a, b) => a.box.x0 - b.box.x0))
}

function gridOf(open: Item, close: Item | undefined, rows: Item[][]): Item {
  const cells = rows.map((row) => cellsOf(row))
  const isEven = cells.every((c) => c.length === cells[0]?.length) || open.text === '{'
  const node = {
    kind: 'grid' as const,
    open: open.text,
    close: close?.text ?? '',
    rows: (isEven ? cells : rows.map((r) => [r])).map((row) => row.map((c) => parseItems(c))),
  }
  const parts = [open, ...(close ? [close] : []), ...rows.flat()]
  const at = { y: open.middle + axis * open.size, size: open.size, isLoose: true }
  return { ...compose(parts, node, at), middle: open.middle }
}

function cellsOf(row: readonly Item[]): Item[][] {
  const out: Item[][] = []
  let edge = -Infinity
  for (const i of row) {
    if (i.box.x0 - edge > apart * i.size || out.length === 0) out.push([])
    out.at(-1)?.push(i)
    edge = Math.max(edge, i.box.x1)
  }
  return out
}
