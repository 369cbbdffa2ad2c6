import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

// The programs that print evidence. Each writes PDFs of its own kind.

export type Printer = 'chromium' | 'libreoffice'

export function print(printer: Printer, html: string, folder: string): string {
  const pdf = join(folder, `${printer}.pdf`)
  const options = { stdio: 'ignore', timeout: 120_000 } as const
  if (printer === 'chromium')
    execFileSync(
      'chromium',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-pdf-header-footer',
        `--print-to-pdf=${pdf}`,
        html,
      ],
      options,
    )
  else {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const format = 'pdf:writer_web_pdf_Export'
    execFileSync(
      'soffice',
      [profile, '--headless', '--convert-to', format, '--outdir', folder, html],
      options,
    )
    return html.replace(/\.html$/, '.pdf')
  }
  return pdf
}
