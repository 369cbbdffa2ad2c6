import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { findOcrEngine } from '../../../../packages/pdf/src/read/ocr/engine.ts'
import type { PdfDocument } from '../../../../packages/pdf/src/read/page.ts'
import { loadPdfium } from '../../../../packages/pdf/src/read/pdfium.ts'
import { readPdf } from '../../../../packages/pdf/src/read/read.ts'

// The results of PDFium and OCR do not change while rules change, and take most of the time: they are cached.

/** Delete the contents of `folder` after a change to `packages/pdf/src/read`. */
export async function readCached(file: string, folder: string): Promise<PdfDocument> {
  const cached = join(folder, `${createHash('sha1').update(file).digest('hex')}.bin`)
  if (existsSync(cached)) return deserialize(readFileSync(cached)) as PdfDocument
  const pdfium = await loadPdfium()
  const document = readPdf(pdfium, readFileSync(file), { ocrEngine: () => findOcrEngine(), paint: false })
  mkdirSync(folder, { recursive: true })
  writeFileSync(cached, serialize(document))
  return document
}
