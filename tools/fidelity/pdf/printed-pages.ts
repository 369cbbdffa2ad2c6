import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputFormat } from '../../../packages/pdf/src/convert.ts'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import { type Printer, printAll } from '../../evidence/print.ts'
import type { FileScores } from './scores.ts'

/** Pages that are made by seed, printed here, converted and compared with what they were made from. */
export interface PageKind<Page extends { name: string; html: string }> {
  count: number
  /** Seeds count from 1. */
  make(seed: number): Page
  printerOf(seed: number): Printer
  format: OutputFormat
  score(page: Page, text: string): FileScores
}

export async function measurePages<Page extends { name: string; html: string }>(
  place: string,
  kind: PageKind<Page>,
): Promise<Record<string, FileScores>> {
  await mkdir(place, { recursive: true })
  const pages = await Promise.all(
    Array.from({ length: kind.count }, async (_, i) => {
      const page = kind.make(i + 1)
      const file = join(place, `${page.name}.html`)
      await writeFile(file, page.html)
      return { page, file, printer: kind.printerOf(i + 1) }
    }),
  )
  for (const printer of ['chromium', 'libreoffice', 'word'] as const)
    await printAll(
      printer,
      pages.filter((p) => p.printer === printer).map((p) => p.file),
      place,
    )
  const out: Record<string, FileScores> = {}
  for (const { page, file } of pages) {
    const made = await convertPdf(await readFile(file.replace(/html$/, 'pdf')), kind.format)
    out[page.name] = kind.score(page, Buffer.from(made).toString('utf8'))
  }
  return out
}
