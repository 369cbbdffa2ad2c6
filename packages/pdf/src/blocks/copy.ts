import type { Block, Table } from './block.ts'

// A stage returns new blocks and does not modify its input: it works on copies.

/** Copies to the depth that stages modify: paragraphs with their runs, tables with their rows and cells. */
export function copyBlock<B extends Block>(block: B): B
export function copyBlock(block: Block): Block {
  if (block.kind === 'table') return copyTable(block)
  return {
    ...block,
    runs: block.runs.map((run) => ({ ...run })),
    pictures: [...block.pictures],
  }
}

const copyTable = (table: Table): Table => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => ({ ...cell, blocks: copyBlocks(cell.blocks) })),
  })),
})

export const copyBlocks = (blocks: readonly Block[]): Block[] => blocks.map((b) => copyBlock(b))
