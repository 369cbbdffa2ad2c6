import { formats } from '../formats.ts'
import { encoding } from './kinds.ts'
import { rowsFor } from './option.ts'

// Options of every pair that reads a text file, for every engine.

export interface TextInputArgument {
  encoding?: string
}

const row = rowsFor<TextInputArgument>()

export const textInputOptions = [
  row({
    name: 'encoding',
    label: 'Text encoding',
    appliesTo: ({ from }) => formats[from].isText === true,
    kind: encoding,
    description: 'The character encoding of the file, by its name in the Encoding Standard or its code page.',
    default:
      'A byte order mark or a declaration in the file decides; else the encoding is detected, and reported.',
    example: 'shift_jis',
    argument: (name) => ({ encoding: name }),
  }),
]
