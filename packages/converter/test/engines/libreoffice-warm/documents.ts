import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docxWith } from '@kiln/test-support/documents.ts'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import { ownFonts } from '../../../src/engines/fonts.ts'
import type { OfficeJob, OfficeResult, OfficeRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { dialectOf } from '../../../src/engines/libreoffice/csv-dialect.ts'
import { planFor } from '../../../src/engines/libreoffice/plan.ts'
import { warmUpFolder } from '../../../src/engines/libreoffice/warm-up-documents.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'

const run = promisify(execFile)

export const sample = (name: string) => join(warmUpFolder, name)

export interface Converted extends OfficeResult {
  outputPath: string
}

/** The parts that an engine gets, over the test's own sandbox. The filled-in profile is kept in `cache`. */
export const partsOf = (
  sandbox: Sandbox,
  { scratch, cache = scratch }: { scratch: string; cache?: string },
  warn: (message: string) => void = () => {},
) => ({ sandbox, log: { info: () => {}, warn }, scratch, cache, warm: true, fonts: () => ownFonts })

/** One document through a runner, in folders as a job has them. */
export async function convert(
  runner: OfficeRunner,
  sandbox: Sandbox,
  root: string,
  path: string,
  options: { from?: FormatName; signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<Converted> {
  const folder = await mkdtemp(join(root, 'job-'))
  await chmod(folder, 0o711)
  const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
  for (const made of [inFolder, outFolder]) await mkdir(made)
  const from = options.from ?? (path.split('.').at(-1) as FormatName)
  const name = `input.${from}`
  await copyFile(path, join(inFolder, name))
  const job: OfficeJob = {
    sandbox,
    inFolder,
    outFolder,
    source: `/in/${name}`,
    outputName: 'output.pdf',
    signal: options.signal ?? new AbortController().signal,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  }
  const plan = planFor(from, 'pdf', from === 'csv' ? { csv: dialectOf('a,b\n1,2\n') } : {})
  return { ...(await runner(plan, job)), outputPath: join(outFolder, 'output.pdf') }
}

/** The visible content: the size of every page, and the words with their positions. */
export async function pagesOf(path: string): Promise<{ sizes: string[]; words: string }> {
  const { stdout: about } = await run('pdfinfo', ['-l', '10000', path])
  const { stdout: words } = await run('pdftotext', ['-layout', path, '-'])
  return { sizes: about.split('\n').filter((line) => /^Page.* size:/.test(line)), words }
}

/** The pixels of a page, at a size where a missing picture or another font shows. */
export async function pixelsOf(path: string, page: number): Promise<Buffer> {
  const { stdout } = await run('pdftoppm', ['-r', '40', '-f', String(page), '-l', String(page), path], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** A docx of so many pages that its conversion can be interrupted. */
export async function makeLongDocx(folder: string): Promise<string> {
  const path = join(folder, 'long.docx')
  await writeFile(path, docxWith('<w:p><w:r><w:t>Kilns fire clay.</w:t></w:r></w:p>'.repeat(10_000)))
  return path
}

/** A small docx that takes LibreOffice minutes: tables in tables, in tables. */
export async function makeHangingDocx(folder: string): Promise<string> {
  const depth = 400
  const path = join(folder, 'hanging.docx')
  const [open, close] = ['<w:tbl><w:tr><w:tc>', '<w:p/></w:tc></w:tr></w:tbl>']
  await writeFile(path, docxWith(`${open.repeat(depth)}${close.repeat(depth)}<w:p/>`.repeat(40)))
  return path
}
