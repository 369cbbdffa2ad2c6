import { wholeNumber } from './kinds.ts'
import { rowsFor } from './option.ts'

// Options of every pair that writes Markdown, for every engine.

export interface MarkdownArgument {
  chunkSize?: number
}

const row = rowsFor<MarkdownArgument>()

export const markdownOptions = [
  row({
    name: 'chunkSize',
    label: 'Largest chunk in characters',
    appliesTo: ({ to }) => to === 'md',
    kind: wholeNumber(200, 100_000),
    description:
      'Divides the text for retrieval into chunks of at most this many characters: at headings, else between paragraphs, lines, sentences. Each begins with a comment such as `<!-- chunk 3: Chapter > Section -->`.',
    default: 'Not divided.',
    example: 2000,
    argument: (chunkSize) => ({ chunkSize }),
  }),
]
