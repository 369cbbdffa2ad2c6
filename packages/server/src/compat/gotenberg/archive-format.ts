import { type Fields, InvalidForm } from './fields.ts'
import type { Steps } from './steps.ts'

// The PDF/A and PDF/UA fields of a form.

export interface ArchiveFormat {
  pdfa?: '1b' | '2b' | '3b'
  pdfua?: true
}

const parts = { 'PDF/A-1b': '1b', 'PDF/A-2b': '2b', 'PDF/A-3b': '3b' } as const

/** `wrong` is the text of a format that is not supported; it is reported when the form has no other error. */
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

/** The steps that produce the archive format; called when no field has an error. */
export function archiveSteps(
  { format, wrong }: ReturnType<typeof readArchiveFormat>,
  steps: Steps,
): { archive?: ArchiveFormat } {
  if (wrong !== undefined) throw new InvalidForm(unsupportedFormat)
  if (!format.pdfa && !format.pdfua) return {}
  if (format.pdfa && steps.encrypt)
    throw new InvalidForm("PDF/A does not allow encryption. Remove the passwords, or the form field 'pdfa'.")
  if (format.pdfa && format.pdfa !== '3b' && steps.embeds)
    throw new InvalidForm('Only PDF/A-3b may hold attached files. Ask for it, or remove the embeds.')
  return { archive: format }
}
