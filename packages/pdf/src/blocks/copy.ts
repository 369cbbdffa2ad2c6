import type { Block, Table } from './block.ts'

// A stage gives new blocks and leaves those it was given alone: it works on copies of its own.

/** Copies as deep as stages write: paragraphs with their runs, tables with their rows and cells. */
export function copyBlock<B extends Block>(block: B): B
export function copyBlock(block: Block): Block {
  if (block.kind === 'table') return copyTable(block)
  return {
    ...block,
    runs: block.runs.map((run) => ({ ...run })),
    pictures: [...block.pictures],
    anchors: [...block.anchors],
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
