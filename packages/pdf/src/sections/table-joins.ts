import { type Block, paragraphsOf, type Row, type Table } from '../blocks/block.ts'
import { sameIndent } from '../tolerances.ts'
import type { Section } from './section.ts'

// Merges the parts of a table that spans pages; the repeated header row is written once and marked, so that Word
// repeats it.

/**
 * A part of a table may end its section: the first page of a paper may have a margin column that the next does not
 * have. In this case the repeated header row decides. A section that contained only the rest of a table is removed.
 */
export function joinTables(sections: readonly Section[]): Section[] {
  let last: Block | undefined
  let lastPage = -1
  const out = sections.map((section) => {
    const blocks: Block[] = []
    for (const block of section.blocks) {
      const isNext = last?.kind === 'table' && block.kind === 'table' && block.page === lastPage + 1
      if (isNext && goesOn(last as Table, block as Table, blocks.length > 0))
        join(last as Table, block as Table)
      else {
        blocks.push(block)
        last = block
      }
      lastPage = block.page
    }
    return { ...section, blocks }
  })
  for (const { blocks } of out) for (const block of blocks) if (block.kind === 'table') markHeading(block)
  return out.filter(({ blocks }, i) => blocks.length > 0 || sections[i]?.blocks.length === 0)
}

const goesOn = (a: Table, b: Table, inOneSection: boolean): boolean =>
  sameColumns(a, b) && (inOneSection || repeatsHead(a, b))

const textOf = (row: Row | undefined): string =>
  row ? row.cells.map((c) => [...paragraphsOf(c.blocks)].map((p) => p.text).join(' ')).join('|') : ''

function sameColumns(a: Table, b: Table): boolean {
  return (
    a.columns.length > 1 &&
    a.columns.length === b.columns.length &&
    Math.abs(a.left - b.left) < sameIndent &&
    // Without rules, the columns are as wide as their texts on each page.
    ((!a.ruled && !b.ruled) || a.columns.every((w, i) => Math.abs(w - (b.columns[i] as number)) < sameIndent))
  )
}

const repeatsHead = (a: Table, b: Table): boolean =>
  textOf(a.rows[0]) === textOf(b.rows[0]) && textOf(a.rows[0]).replaceAll('|', '') !== ''

function join(first: Table, next: Table): void {
  const repeated = repeatsHead(first, next)
  if (repeated && first.rows[0]) first.rows[0].header = true
  first.rows.push(...(repeated ? next.rows.slice(1) : next.rows))
}

/** A first row that is bold or shaded, unlike the next, is the header row. */
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
