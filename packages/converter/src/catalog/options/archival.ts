import { choice } from './kinds.ts'
import { rowsFor } from './option.ts'

// PDFs and pictures to PDF/A.

export interface ArchivalArgument {
  /** Part and level of PDF/A, such as `2u`. */
  standard?: string
}

export const defaultStandard = '2u'

const row = rowsFor<ArchivalArgument>()

export const archivalOptions = [
  row({
    name: 'pdfa',
    label: 'Part and level of PDF/A',
    choiceLabels: {
      '1b': 'PDF/A-1b',
      '2b': 'PDF/A-2b',
      '2u': 'PDF/A-2u',
      '3b': 'PDF/A-3b',
      '3u': 'PDF/A-3u',
    },
    appliesTo: ({ to }) => to === 'pdfa',
    kind: choice('1b', '2b', '2u', '3b', '3u'),
    description:
      'Part and level of PDF/A: `u` has Unicode values for all characters, part 3 keeps attached files.',
    default: '2u.',
    example: '2b',
    argument: (standard) => ({ standard }),
  }),
]
