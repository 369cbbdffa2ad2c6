import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reportedFailure } from '../../engines/reported-failure.ts'
import { nextPath } from './qpdf.ts'
import type { FileSteps } from './steps.ts'

const run = promisify(execFile)

/** Makes the PDF a PDF/A or PDF/UA file, and checks it (packages/converter/pdfa). */
export async function makeArchival(
  path: string,
  { pdfa, pdfua }: NonNullable<FileSteps['archive']>,
  folder: string,
): Promise<string> {
  const target = nextPath()
  const args = ['-E', '-s', '-B', join(folder, 'make_pdfa.py'), path, target, pdfa ?? '']
  try {
    await run('python3', pdfua ? [...args, '--ua'] : args)
  } catch (error) {
    const stderr = String((error as { stderr?: unknown }).stderr ?? '')
    throw reportedFailure(stderr, 'The PDF cannot become PDF/A.', error) ?? error
  }
  return target
}
