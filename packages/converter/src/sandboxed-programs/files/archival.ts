import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConversionFailed } from '../../failure.ts'
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
    throw failureOf(error)
  }
  return target
}

/**
 * The program reports in one line what is wrong with the file; the engine validates that line outside of the sandbox.
 */
function failureOf(error: unknown): unknown {
  const stderr = String((error as { stderr?: unknown }).stderr ?? '')
  const line = stderr.split('\n').find((text) => text.startsWith('{"failure":'))
  if (line === undefined) return error
  const { failure, sentence } = JSON.parse(line) as { failure: ConversionFailed['word']; sentence: string }
  return new ConversionFailed(failure, sentence, error)
}
