import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'

// The properties of a PDF that the scenarios check, read with poppler and qpdf.

const run = promisify(execFile)

export const pageText = async (path: string, page = '1'): Promise<string> =>
  (await run('pdftotext', ['-f', page, '-l', page, path, '-'])).stdout

export const pdfInfo = async (path: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await run('pdfinfo', [path])).stdout.split('\n').map((line) => line.split(/: +/, 2) as [string, string]),
  )

/** Whether it opens without a password. */
export const opens = (path: string): Promise<boolean> =>
  run('pdfinfo', [path]).then(
    () => true,
    () => false,
  )

export async function imageCount(path: string): Promise<number> {
  const { stdout } = await run('pdfimages', ['-list', path])
  const headerLines = 2
  return stdout.trim().split('\n').length - headerLines
}

export const attachments = async (path: string): Promise<string> =>
  (await run('pdfdetach', ['-list', path])).stdout

/** The objects of the file as text. */
export const uncompressed = async (path: string): Promise<string> =>
  (await run('qpdf', ['--qdf', path, '-'], { encoding: 'latin1' })).stdout

export const qpdfJson = async (path: string, key: string) =>
  JSON.parse((await run('qpdf', ['--json=2', `--json-key=${key}`, path])).stdout)

export const outline = async (path: string): Promise<unknown[]> => (await qpdfJson(path, 'outlines')).outlines

const checker = fileURLToPath(new URL('../../../../converter/edit-pdf/make_pdfa.py', import.meta.url))

/** By Kiln's own check, clause by clause (packages/converter/edit-pdf); its test breaks each of them. */
export async function checkConformance(path: string, standard: string, tolerance: number): Promise<void> {
  const wanted = standard.startsWith('UA') ? ['', '--ua'] : [standard.slice(2)]
  const { stdout } = await run('/usr/bin/python3', ['-B', checker, '--check', path, ...wanted])
  const clauses = new Set(
    stdout
      .split('\n')
      .flatMap((line) => line.split('\t', 1))
      .filter(Boolean),
  )
  expect(clauses.size, stdout).toBeLessThanOrEqual(tolerance)
}
