import { type Fields, InvalidForm } from './fields.ts'

// PDF/A and PDF/UA: what a form asks for.

export interface ArchiveFormat {
  pdfa?: '1b' | '2b' | '3b'
  pdfua?: true
}

const parts = { 'PDF/A-1b': '1b', 'PDF/A-2b': '2b', 'PDF/A-3b': '3b' } as const

/** The text of the format that is not supported, told when the form has no other fault. */
export function readArchiveFormat(fields: Fields): { format: ArchiveFormat; wrong: string | undefined } {
  const text = fields.text('pdfa')
  const pdfua = fields.flag('pdfua', false)
  const pdfa = Object.hasOwn(parts, text) ? parts[text as keyof typeof parts] : undefined
  return {
    format: { ...(pdfa ? { pdfa } : {}), ...(pdfua ? { pdfua } : {}) },
    wrong: text !== '' && !pdfa ? text : undefined,
  }
}

const unsupportedFormat =
  'The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.'

/** For routes on which no engine makes a PDF/A out of a PDF. */
export function refuseArchiveFormat({ format, wrong }: ReturnType<typeof readArchiveFormat>): void {
  if (wrong !== undefined) throw new InvalidForm(unsupportedFormat)
  if (format.pdfa || format.pdfua)
    throw new InvalidForm(
      'Kiln makes PDF/A and PDF/UA of office documents only: use /forms/libreoffice/convert. It does not turn a finished PDF or a web page into one.',
    )
}
