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
    description: 'Character encoding, by its name in the Encoding Standard or its code page.',
    default: 'Detected, and reported.',
    example: 'shift_jis',
    argument: (name) => ({ encoding: name }),
  }),
]
