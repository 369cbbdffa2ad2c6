import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onePage, scannedPage } from '../../../../pdf/test/pdf-file.ts'
import { pairs } from '../../../src/catalog/pairs.ts'
import { checkOutput } from '../../../src/checks/index.ts'
import { pdfEngine } from '../../../src/engines/pdf/engine.ts'
import { type OpenSandbox, openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { contentsOf } from '../../attacks/world.ts'

// What the program makes of real PDFs is tested in its own package; here it is the way through the box.
const minimalPdf = (text: string) => onePage(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`)

describe('PDF to what people can edit', () => {
  let opened: OpenSandbox
  let folder: string
  beforeAll(async () => {
    opened = await openSandbox({ allowUnsandboxed: false, log: { info: () => {}, warn: () => {} } })
    folder = await mkdtemp(join(tmpdir(), 'kiln-pdf-'))
    await chmod(folder, 0o711)
  })
  afterAll(async () => {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  })

  const convert = async (content: string | Uint8Array, to: 'docx' | 'md' | 'html') => {
    const job = await mkdtemp(join(folder, 'job-'))
    const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
    for (const made of [inFolder, outFolder]) await mkdir(made)
    await writeFile(join(inFolder, 'input.pdf'), content)
    const pair = pairs.find(({ slug }) => slug === `pdf-to-${to}`)
    if (!pair) throw new Error(`no pair pdf-to-${to}`)
    const progress: number[] = []
    const name = await pdfEngine.convert({
      pair,
      from: 'pdf',
      to,
      inFolder,
      inputName: 'input.pdf',
      outFolder,
      sandbox: opened.sandbox,
      signal: AbortSignal.timeout(60_000),
      onProgress: (fraction) => progress.push(fraction),
    })
    const path = join(outFolder, name)
    await checkOutput(path, pair, { sandbox: opened.sandbox, inputPath: join(inFolder, 'input.pdf') })
    return { path, progress }
  }

  test('Word: the text is there, and pandoc reads it', async () => {
    const { path, progress } = await convert(minimalPdf('Fired clay lasts'), 'docx')
    const { stdout } = await promisify(execFile)('pandoc', ['-f', 'docx', '-t', 'plain', path])
    expect(stdout).toContain('Fired clay lasts')
    expect(progress.length).toBeGreaterThan(0)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test.each(['md', 'html'] as const)('%s', async (to) => {
    const { path } = await convert(minimalPdf('Fired clay lasts'), to)
    expect(await readFile(path, 'utf8')).toContain('Fired clay lasts')
  })

  test.each(['docx', 'md'] as const)('a scan is read in the box, and the %s says so', async (to) => {
    const page = join(folder, 'page')
    await writeFile(`${page}.pdf`, minimalPdf('Fired clay lasts'))
    await promisify(execFile)('pdftoppm', ['-r', '150', '-jpeg', '-singlefile', `${page}.pdf`, page])
    const scan = scannedPage(await readFile(`${page}.jpg`), { width: 1275, height: 1650 })
    const { path } = await convert(scan, to)
    const text = contentsOf(await readFile(path))
    expect(text).toContain('Fired clay lasts')
    expect(text).toContain('recognised from pictures')
  })

  test('a PDF that is none fails with its word', async () => {
    await expect(convert('%PDF-1.4\nnothing of use', 'docx')).rejects.toMatchObject({ word: 'corrupt-input' })
  })
})
