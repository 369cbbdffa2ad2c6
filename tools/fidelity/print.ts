import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'

// The programs that print the documents. Each produces a different kind of PDF.

/** `word`: LibreOffice prints a Word file that it has converted from the page. */
export type Printer = 'chromium' | 'libreoffice' | 'word'

/** Options for printing by Chromium. */
export type PdfOptions = Parameters<Page['pdf']>[0]

interface PrintOptions {
  /** LibreOffice's PDFs have tags unless this is false. */
  tagged?: boolean
  /** By file, for Chromium. */
  pdf?: (file: string) => PdfOptions
}

const run = promisify(execFile)
const withEnding = (file: string, ending: string): string => file.replace(/\.\w+$/, ending)

/** Prints HTML files into a folder; the PDFs, in their order. */
export async function printAll(
  printer: Printer,
  files: readonly string[],
  folder: string,
  { tagged = true, pdf = () => ({}) }: PrintOptions = {},
): Promise<string[]> {
  const office = (format: string, inputs: readonly string[]): Promise<unknown> => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const options = ['--headless', '--convert-to', format, '--outdir', folder]
    return run('soffice', [profile, ...options, ...inputs], { timeout: 300_000 })
  }
  const untagged = tagged ? '' : ':{"UseTaggedPDF":{"type":"boolean","value":"false"}}'
  const results = files.map((f) => withEnding(join(folder, basename(f)), '.pdf'))
  if (files.length === 0) return results
  if (printer === 'libreoffice') await office(`pdf:writer_web_pdf_Export${untagged}`, files)
  else if (printer === 'word') {
    await office('docx:MS Word 2007 XML', files)
    await office(
      `pdf:writer_pdf_Export${untagged}`,
      results.map((r) => withEnding(r, '.docx')),
    )
  } else await browse(files, results, pdf)
  return results
}

async function browse(
  files: readonly string[],
  results: readonly string[],
  optionsOf: (file: string) => PdfOptions,
): Promise<void> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    for (const [i, file] of files.entries()) {
      await page.goto(pathToFileURL(file).href)
      await page.pdf({ path: results[i] as string, preferCSSPageSize: true, ...optionsOf(file) })
    }
  } finally {
    await browser.close()
  }
}
