import { ConversionFailure } from '../failure.ts'
import { limits, tooManyPages } from './limits.ts'
import type { Pdfium } from './pdfium.ts'

const errorPassword = 4
const errorSecurity = 5

export interface OpenPdf {
  document: number
  /** Page numbers in the file, from 1. */
  numbers: number[]
  pageCount: number
  close(): void
}

export interface OpenOptions {
  /** For example `1-3,7-`; other pages are omitted. */
  pages?: string
  password?: string
}

/** Without a password the empty one is used, which opens files that are only protected against printing. */
export function openPdf(pdfium: Pdfium, file: Uint8Array, options: OpenOptions = {}): OpenPdf {
  const { call } = pdfium
  const data = pdfium.allocate(Math.max(1, file.length))
  pdfium.bytes(data, file.length).set(file)
  const document = call.FPDF_LoadMemDocument(data, file.length, options.password ?? '')
  if (!document) {
    const error = call.FPDF_GetLastError()
    pdfium.free(data)
    if (error === errorPassword)
      throw new ConversionFailure(
        'password-protected',
        options.password === undefined
          ? 'The PDF needs a password to open. Give it in the option `password`, or remove it from the file.'
          : 'The password in the option `password` does not open the PDF. Check it and try again.',
      )
    if (error === errorSecurity)
      throw new ConversionFailure('unsupported', 'The PDF is encrypted in a way that cannot be read here.')
    throw new ConversionFailure(
      'corrupt-input',
      'The file is not a PDF, or too damaged to open. Save it again from a PDF viewer and try that copy.',
    )
  }
  const pageCount = call.FPDF_GetPageCount(document)
  function close(): void {
    call.FPDF_CloseDocument(document)
    pdfium.free(data)
  }
  if (pageCount < 1) {
    close()
    throw new ConversionFailure('corrupt-input', 'The PDF has no pages.')
  }
  const all = Array.from({ length: Math.min(pageCount, maxNumbers) }, (_, index) => index + 1)
  const numbers = options.pages === undefined ? all : all.filter(isIn(options.pages))
  if (numbers.length === 0) {
    close()
    throw new ConversionFailure(
      'unsupported',
      `The PDF has ${pageCount === 1 ? 'one page' : `${pageCount} pages`}; none of those in the option \`pages\` is there.`,
    )
  }
  if (numbers.length > limits.pages) {
    close()
    throw tooManyPages(numbers.length)
  }
  const kept = new Set(numbers)
  // From the end, so that the indexes before stay valid. Links and bookmarks to removed pages lead nowhere.
  if (kept.size < pageCount)
    for (let index = pageCount - 1; index >= 0; index--)
      if (!kept.has(index + 1)) call.FPDFPage_Delete(document, index)
  return { document, numbers, pageCount: numbers.length, close }
}

/** More than the options can name. */
const maxNumbers = 100_000

function isIn(ranges: string): (page: number) => boolean {
  const bounds = ranges.split(',').map((range) => {
    const [from = '', to = from] = range.split('-')
    return { from: Number(from), to: to === '' ? Number.POSITIVE_INFINITY : Number(to) }
  })
  return (page) => bounds.some(({ from, to }) => page >= from && page <= to)
}
