import type { Block, Paragraph, Table } from '../blocks/block.ts'
import type { WordDocument } from '../sections/section.ts'
import { plainText } from './content.ts'

// Plain text in reading order: a paragraph is one line, followed by an empty line; a table row is a line with tabs
// between its cells. Running headers and footers are omitted.

export function writeText(document: WordDocument): string {
  const texts = document.sections.flatMap((section) => section.blocks.flatMap(blockText))
  const notes = document.notes.map((note) => `[${note.id}] ${note.blocks.flatMap(blockText).join(' ')}`)
  return `${[...texts, ...notes, ...document.remarks].filter((text) => text !== '').join('\n\n')}\n`
}

const blockText = (block: Block): string[] =>
  block.kind === 'paragraph' ? [paragraphText(block)] : [tableText(block)]

function paragraphText(paragraph: Paragraph): string {
  const text = plainText(paragraph.runs)
  // The label of a list item is not part of its text.
  const label = paragraph.list && text !== '' ? `${paragraph.list.written.trim()} ` : ''
  return `${'  '.repeat(paragraph.list?.level ?? 0)}${label}${text}`.trimEnd()
}

const tableText = (table: Table): string =>
  table.rows
    .map((row) => {
      const cells = table.columns.map(() => '')
      for (const cell of row.cells)
        if (!cell.continued)
          cells[cell.column] = cell.blocks.flatMap(blockText).join(' ').replaceAll(/\s+/g, ' ')
      return cells.join('\t').trimEnd()
    })
    .filter((line) => line !== '')
    .join('\n')
