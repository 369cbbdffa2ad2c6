import { type Block, type Part, plainText, type Row, type Run } from './content.ts'
import { gridOf } from './grid.ts'
import { createListMarks } from './list-marks.ts'

// Plain text: one line for each paragraph and each table row, with tabs between cells. Pictures have been replaced by
// paragraphs with their descriptions.

export function* textLines(parts: readonly Part[]): Generator<string> {
  for (const { title, blocks, notes } of parts) {
    if (title !== '') yield `${lineOf([title])}\n\n`
    yield* blockLines(blocks)
    if (notes.length > 0) yield 'Notes\n\n'
    yield* blockLines(notes)
  }
}

function* blockLines(blocks: readonly Block[]): Generator<string> {
  const markOf = createListMarks()
  for (const [index, block] of blocks.entries()) {
    const mark = markOf(block)
    switch (block.kind) {
      case 'paragraph':
        yield `${lineOf(block.text)}\n\n`
        break
      case 'item':
        yield `${'  '.repeat(block.depth - 1)}${mark} ${lineOf(block.text)}\n`
        if (blocks[index + 1]?.kind !== 'item') yield '\n'
        break
      case 'table':
        yield* tableLines(block.rows)
    }
  }
}

function* tableLines(rows: readonly Row[]): Generator<string> {
  const grid = gridOf(rows)
  for (const { cells } of grid.rows) {
    const texts = Array.from({ length: grid.columns }, (_, column) => lineOf(cells.get(column)?.text ?? []))
    yield `${texts.join('\t').trimEnd()}\n`
  }
  yield '\n'
}

const lineOf = (runs: readonly Run[]): string =>
  plainText(runs)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
