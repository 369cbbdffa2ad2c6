import { KilnError } from './errors.ts'

// The format of a file name. The service's format names are mostly the usual extensions; these are other common
// spellings.

const otherSpellings = new Map([
  ['htm', 'html'],
  ['jpeg', 'jpg'],
  ['m2ts', 'ts'],
  ['markdown', 'md'],
  ['mpg', 'mpeg'],
  ['mts', 'ts'],
  ['rmvb', 'rm'],
  ['tex', 'latex'],
  ['text', 'txt'],
  ['tif', 'tiff'],
])

/** The format behind a spelling of it: `.HTM` and `htm` are `html`. */
export function formatNamed(spelling: string): string {
  const name = spelling.toLowerCase().replace(/^\./, '')
  return otherSpellings.get(name) ?? name
}

/** The format of a file by its name, or null. */
export function formatOfName(name: string): string | null {
  const base = name.split(/[/\\]/).at(-1) as string
  const extension = /[^.]\.([^.]+)$/.exec(base)?.[1]
  return extension === undefined ? null : formatNamed(extension)
}

const textFormats = new Set(['csv', 'html', 'json', 'latex', 'md', 'rst', 'txt'])

/** Can a person read it as it is? */
export const isTextFormat = (format: string): boolean => textFormats.has(format)

/** The usual extension of a format. */
export const extensionOf = (format: string): string =>
  format === 'latex' ? 'tex' : format === 'pdfa' ? 'pdf' : format

export interface PairChoice {
  /** The pair's slug, like `docx-to-pdf`; else from `from` and `to`. */
  pair?: string | undefined
  /** Source format; else from the input's name. */
  from?: string | undefined
  /** Target format; else from the output's name. */
  to?: string | undefined
}

/** The slug to submit. Only missing parts are reported here; the service validates the pair. */
export function choosePair(choice: PairChoice, inputName: string | null, outputName: string | null): string {
  if (choice.pair !== undefined) return choice.pair
  const from = choice.from ? formatNamed(choice.from) : inputName && formatOfName(inputName)
  const to = choice.to ? formatNamed(choice.to) : outputName && formatOfName(outputName)
  if (!from) {
    const what = inputName === null ? 'The input has no name' : `The name "${inputName}" has no extension`
    throw new KilnError('invalid-options', `${what}, so say what it is: \`from\`, for example "docx".`)
  }
  if (!to) throw new KilnError('invalid-options', 'Say what the input is to become: `to`, for example "pdf".')
  return `${from}-to-${to}`
}
