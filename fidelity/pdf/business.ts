import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBusinessPage } from '../../packages/pdf/evidence/business.ts'
import { scoreBusiness } from '../../packages/pdf/evidence/business-score.ts'
import { printerOf } from '../../packages/pdf/evidence/fixtures.ts'
import { printAll } from '../../packages/pdf/evidence/print.ts'
import { convertPdf } from '../../packages/pdf/src/convert.ts'
import type { FileScores } from './scores.ts'

// Invoices, forms and price lists, made by seed and printed here.

const count = 120

export async function measureBusiness(place: string): Promise<Record<string, FileScores>> {
  await mkdir(place, { recursive: true })
  const pages = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const page = makeBusinessPage(i + 1)
      const file = join(place, `${page.name}.html`)
      await writeFile(file, page.html)
      return { page, file, printer: printerOf(i + 1) }
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
    const html = await convertPdf(await readFile(file.replace(/html$/, 'pdf')), 'html')
    out[page.name] = { ...scoreBusiness(page, Buffer.from(html).toString('utf8')) }
  }
  return out
}
