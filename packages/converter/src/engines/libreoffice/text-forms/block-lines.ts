import type { Block, Part, Run } from './content.ts'
import { gridOf } from './grid.ts'

/** How plain text and Markdown write what a part holds. */
export interface LineFormat {
  title(text: string): string
  notes: string
  paragraph(text: readonly Run[]): string
  item(text: readonly Run[]): string
  /** Before the items of an inner list, for each list around it. */
  indent: string
  row(cells: readonly (readonly Run[])[], index: number): string
  picture(picture: Block & { kind: 'picture' }): string
}

export function* partLines(parts: readonly Part[], format: LineFormat): Generator<string> {
  for (const { title, blocks, notes } of parts) {
    if (title !== '') yield `${format.title(title)}\n\n`
    yield* blockLines(blocks, format)
    if (notes.length > 0) yield `${format.notes}\n\n`
    yield* blockLines(notes, format)
  }
}

function* blockLines(blocks: readonly Block[], format: LineFormat): Generator<string> {
  /** Items so far, for each open list. */
  const counts: number[] = []
  for (const [index, block] of blocks.entries()) {
    counts.length = block.kind === 'item' ? block.depth : 0
    if (block.kind === 'paragraph') yield `${format.paragraph(block.text)}\n\n`
    else if (block.kind === 'picture') yield format.picture(block)
    else if (block.kind === 'item') {
      const number = (counts[block.depth - 1] ?? 0) + 1
      counts[block.depth - 1] = number
      const mark = block.isNumbered ? `${number}.` : '-'
      yield `${format.indent.repeat(block.depth - 1)}${mark} ${format.item(block.text)}\n`
      if (blocks[index + 1]?.kind !== 'item') yield '\n'
    } else {
      const { rows, columns } = gridOf(block.rows)
      for (const [row, { cells }] of rows.entries())
        yield format.row(
          Array.from({ length: columns }, (_, column) => cells.get(column)?.text ?? []),
          row,
        )
      yield '\n'
    }
  }
}
