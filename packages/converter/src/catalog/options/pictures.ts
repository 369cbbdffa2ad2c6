import { choice } from './kinds.ts'

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
