import { formats } from '../formats.ts'
import { isMail } from '../opened-first.ts'
import { choice, encoding, wholeNumber } from './kinds.ts'
import { rowsFor } from './option.ts'

// Options that do not depend on the engine.

export const mailOptions = [
  rowsFor<{ attachments?: 'listed' | 'appended' }>()({
    name: 'attachments',
    label: 'Attachments',
    appliesTo: ({ from }) => isMail(from),
    kind: choice('listed', 'appended'),
    description:
      'Attachments: listed with names and sizes; or pictures, texts and e-mails also appended to the text.',
    default: 'Listed.',
    example: 'appended',
    argument: (attachments) => ({ attachments }),
  }),
]

/** Of every pair that writes Markdown. */
export const markdownOptions = [
  rowsFor<{ chunkSize?: number }>()({
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

/** Of every pair that reads a text file. */
export const textInputOptions = [
  rowsFor<{ encoding?: string }>()({
    name: 'encoding',
    label: 'Text encoding',
    appliesTo: ({ from }) => formats[from].isText === true,
    kind: encoding,
    description: 'Character encoding, by its name in the Encoding Standard or its code page.',
    default: 'Detected, and reported.',
    example: 'shift_jis',
    argument: (name) => ({ encoding: name }),
  }),
]

// The option `pictures` has the same values and texts for every engine; only the engine's argument differs.

export const picturesInPage = {
  name: 'pictures',
  label: 'Pictures',
  choiceLabels: { embedded: 'Inside the file' },
  kind: choice('embedded', 'left-out'),
  description: 'Pictures: inside the file, or replaced by their description.',
  default: 'Inside the file.',
  example: 'left-out',
} as const

export const picturesInMarkdown = {
  name: 'pictures',
  label: 'Pictures',
  choiceLabels: { embedded: 'Inside the file', beside: 'Beside the file, in a ZIP archive' },
  kind: choice('embedded', 'beside', 'left-out'),
  description: 'Pictures: inside the file, beside it in a ZIP archive, or replaced by their description.',
  default: 'Inside the file.',
  example: 'left-out',
  givesArchive: (way: 'embedded' | 'beside' | 'left-out') => way === 'beside',
} as const
