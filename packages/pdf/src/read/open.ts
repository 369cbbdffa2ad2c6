import { ConversionFailure } from '../failure.ts'
import { limits, tooManyPages } from './limits.ts'
import type { Pdfium } from './pdfium.ts'

const errorPassword = 4
const errorSecurity = 5

export interface OpenPdf {
  document: number
  pageCount: number
  close(): void
}

/** Opens with the empty password, which is how files locked only against printing are meant to be opened. */
export function openPdf(pdfium: Pdfium, file: Uint8Array): OpenPdf {
  const { call } = pdfium
  const data = pdfium.allocate(Math.max(1, file.length))
  pdfium.bytes(data, file.length).set(file)
  const document = call.FPDF_LoadMemDocument(data, file.length, '')
  if (!document) {
    const error = call.FPDF_GetLastError()
    pdfium.free(data)
    if (error === errorPassword)
      throw new ConversionFailure(
        'password-protected',
        'The PDF needs a password to open. Remove the password and try again.',
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
  if (pageCount > limits.pages) {
    close()
    throw tooManyPages(pageCount)
  }
  return { document, pageCount, close }
}
