import { partLines } from './block-lines.ts'
import { type Part, plainText, type Run } from './content.ts'

// Plain text: one line for each paragraph and each table row, with tabs between cells. Pictures have been replaced by
// paragraphs with their descriptions.

export const textLines = (parts: readonly Part[]): Generator<string> =>
  partLines(parts, {
    title: (text) => lineOf([text]),
    notes: 'Notes',
    paragraph: lineOf,
    item: lineOf,
    indent: '  ',
    row: (cells) => `${cells.map(lineOf).join('\t').trimEnd()}\n`,
    picture: () => '',
  })

const lineOf = (runs: readonly Run[]): string =>
  plainText(runs)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
