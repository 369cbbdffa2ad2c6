import { type Block, paragraphsOf, type Row, type Table } from '../blocks/block.ts'
import { copyBlock } from '../blocks/copy.ts'
import type { Section } from './section.ts'

// A table that runs over pages is one table; the heading row printed again on each page is written
// once and marked, so that Word repeats it itself.

/** Columns of two parts of one table end within this of each other, in points. */
const sameEdge = 4

export const joinTables = (sections: readonly Section[]): Section[] =>
  sections.map((section) => ({ ...section, blocks: joinIn(section.blocks) }))

function joinIn(blocks: readonly Block[]): Block[] {
  const out: Block[] = []
  let lastPage = -1
  for (const block of blocks) {
    const last = out.at(-1)
    const goesOn =
      last?.kind === 'table' &&
      block.kind === 'table' &&
      block.page === lastPage + 1 &&
      (sameColumns(last, block) || isPart(last, block))
    if (goesOn) join(last, copyBlock(block))
    else out.push(block.kind === 'table' ? copyBlock(block) : block)
    lastPage = block.page
  }
  for (const block of out) if (block.kind === 'table') markHeading(block)
  return out
}

const textOf = (row: Row | undefined): string =>
  row ? row.cells.map((c) => [...paragraphsOf(c.blocks)].map((p) => p.text).join(' ')).join('|') : ''

function sameColumns(a: Table, b: Table): boolean {
  return (
    a.columns.length > 1 &&
    a.columns.length === b.columns.length &&
    Math.abs(a.left - b.left) < sameEdge &&
    a.columns.every((w, i) => Math.abs(w - (b.columns[i] as number)) < sameEdge)
  )
}

/** Without rules the columns are as wide as their texts on each page; the head that is printed again tells. */
const isPart = (a: Table, b: Table): boolean =>
  !a.ruled && !b.ruled && a.columns.length === b.columns.length && repeatsHead(a, b)

const repeatsHead = (a: Table, b: Table): boolean =>
  textOf(a.rows[0]) === textOf(b.rows[0]) && textOf(a.rows[0]).replaceAll('|', '') !== ''

function join(first: Table, next: Table): void {
  const repeated = repeatsHead(first, next)
  if (repeated && first.rows[0]) first.rows[0].header = true
  first.rows.push(...(repeated ? next.rows.slice(1) : next.rows))
}

/** A first row that is bold or shaded while the next is not heads the table. */
function markHeading(table: Table): void {
  const [first, second] = table.rows
  if (!first || !second || first.header || first.cells.some((c) => c.rowSpan > 1)) return
  const bold = (row: Row): boolean => {
    const texts = row.cells.flatMap((c) => [...paragraphsOf(c.blocks)]).filter((p) => p.text)
    return texts.length > 1 && texts.every((p) => p.bold)
  }
  const shaded = (row: Row): boolean => row.cells.length > 1 && row.cells.every((c) => c.fill !== undefined)
  first.header = (bold(first) && !bold(second)) || (shaded(first) && !shaded(second))
}
