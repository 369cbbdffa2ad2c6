import type { BrowserOptions } from '@kiln/browser'
import { browserTargets } from '@kiln/browser/targets'
import type { OptionValues } from '../../shared/parts/options-form.tsx'
import type { OptionField } from '../../shared/types.ts'

// Conversions that run in the browser. The front page asks here, and nowhere else, whether a file can be converted
// without the server; such files never leave the computer. The code that converts is loaded with the first file.

export { browserTargets }

export interface BrowserProgress {
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Several PDFs are merged. Throws an Error whose message starts with a stable word, as the errors of jobs do. */
export async function convertInBrowser(
  files: readonly File[],
  to: string,
  values: OptionValues,
  progress: BrowserProgress,
): Promise<Blob> {
  const { BrowserConversionError, convertInBrowser } = await import('@kiln/browser')
  try {
    const rotate = values.rotate === undefined ? {} : { rotate: Number(values.rotate) }
    return await convertInBrowser(files, to, { ...(values as BrowserOptions), ...rotate, ...progress })
  } catch (failure) {
    if (failure instanceof BrowserConversionError) throw new Error(`${failure.code}: ${failure.message}`)
    throw failure
  }
}

// Options of conversions that run in the browser, as the fields of the form that the service's pairs have.

const blank = { choices: [], minimum: null, maximum: null, description: '', default: '', example: '' }

const pages: OptionField = {
  ...blank,
  name: 'pages',
  label: 'Pages',
  kind: 'text',
  description: 'Pages and ranges, in the order that you write.',
  default: 'all pages.',
  example: '1-3, 5, 8-',
}

const pdfFields: OptionField[] = [
  pages,
  {
    ...blank,
    name: 'rotate',
    label: 'Rotate',
    kind: 'choice',
    choices: [
      { value: '90', label: '90° to the right' },
      { value: '180', label: '180°' },
      { value: '270', label: '90° to the left' },
    ],
    description: 'Turns every page.',
    default: 'not turned.',
  },
  {
    ...blank,
    name: 'split',
    label: 'One file per page',
    kind: 'flag',
    description: 'A zip with a PDF of each page.',
    default: 'one PDF.',
  },
  {
    ...blank,
    name: 'compress',
    label: 'Make smaller',
    kind: 'flag',
    description: 'Images with more than 150 pixels per inch become smaller.',
    default: 'images stay as they are.',
  },
]

const resolution: OptionField = {
  ...blank,
  name: 'dpi',
  label: 'Resolution',
  kind: 'integer',
  minimum: 36,
  maximum: 600,
  description: 'Pixels per inch of the page.',
  default: '150.',
  example: '300',
}

const password: OptionField = {
  ...blank,
  name: 'password',
  label: 'Password',
  kind: 'password',
  description: 'Only for an encrypted file.',
  default: 'none.',
}

const encrypted: ReadonlySet<string> = new Set(['zip', '7z', 'rar'])

/** Empty when the conversion has no options. */
export function browserOptionFields(from: string | null, to: string): OptionField[] {
  if (from === 'pdf') return [...(to === 'pdf' ? pdfFields : [pages, resolution]), password]
  return encrypted.has(from ?? '') ? [password] : []
}
