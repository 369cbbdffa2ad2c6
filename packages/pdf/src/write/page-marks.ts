import type { Block } from '../blocks/block.ts'
import type { WordDocument } from '../sections/section.ts'

// Where the pages of the PDF begin, to mark them in the output on request.

/** Page numbers by the first block of the page. */
export type PageMarks = ReadonlyMap<Block, number>

export const noMarks: PageMarks = new Map()

/** `numbers` are the page numbers in the PDF; by default pages are counted from 1. */
export function findPageMarks(document: WordDocument, numbers: readonly number[] = []): PageMarks {
  const marks = new Map<Block, number>()
  let page = -1
  const look = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.page > page) marks.set(block, numbers[block.page] ?? block.page + 1)
      page = Math.max(page, block.page)
      if (isBox(block)) look(block.rows.flatMap((row) => row.cells.flatMap((cell) => cell.blocks)))
    }
  }
  look(document.sections.flatMap((section) => section.blocks))
  return marks
}

/** A frame around text, represented as a table of one cell. */
export const isBox = (block: Block): block is Extract<Block, { kind: 'table' }> =>
  block.kind === 'table' && block.rows.length === 1 && block.columns.length === 1
