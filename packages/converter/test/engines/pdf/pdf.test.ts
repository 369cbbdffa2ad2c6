import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test } from 'vitest'
import { nativeHelpers } from '../../../src/native-helpers.ts'
import { contentsOf } from '../../attacks/world.ts'

const run = promisify(execFile)
/** The linker reports each of its bindings. */
const maxBuffer = 64 * 1024 * 1024

// The program's results on real PDFs are tested in its own package; this tests running it in the sandbox.
const minimalPdf = (text: string) => onePage(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`)

describe('PDF to what people can edit', () => {
  const kiln = useTestConverter()

  const convert = async (content: string | Uint8Array, to: 'docx' | 'md' | 'html') => {
    const progress: number[] = []
    const onProgress = (fraction: number) => progress.push(fraction)
    return { path: await kiln.convert(content, 'pdf', to, { onProgress }), progress }
  }

  test('Word: the text is there, and pandoc reads it', async () => {
    const { path, progress } = await convert(minimalPdf('Fired clay lasts'), 'docx')
    const { stdout } = await run('pandoc', ['-f', 'docx', '-t', 'plain', path])
    expect(stdout).toContain('Fired clay lasts')
    expect(progress.length).toBeGreaterThan(0)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test.each(['md', 'html'] as const)('%s', async (to) => {
    const { path } = await convert(minimalPdf('Fired clay lasts'), to)
    expect(await readFile(path, 'utf8')).toContain('Fired clay lasts')
  })

  test.each(['docx', 'md'] as const)('a scan is read in the sandbox, and the %s says so', async (to) => {
    const page = join(kiln.folder, 'page')
    await writeFile(`${page}.pdf`, minimalPdf('Fired clay lasts'))
    await run('pdftoppm', ['-r', '150', '-jpeg', '-singlefile', `${page}.pdf`, page])
    const scan = scannedPage(await readFile(`${page}.jpg`), { width: 1275, height: 1650 })
    const { path } = await convert(scan, to)
    const text = contentsOf(await readFile(path))
    expect(text).toContain('Fired clay lasts')
    expect(text).toContain('recognised from pictures')
  })

  test('tesseract with faster functions reads the same', async () => {
    const page = join(kiln.folder, 'start')
    await writeFile(`${page}.pdf`, minimalPdf('Fired clay lasts'))
    await run('pdftoppm', ['-r', '150', '-png', '-singlefile', `${page}.pdf`, page])
    const read = (environment: Record<string, string>) =>
      run('tesseract', [`${page}.png`, 'stdout', 'tsv'], {
        env: { ...process.env, ...environment },
        maxBuffer,
      })
    const plain = await read({})
    const fast = await read({ LD_PRELOAD: join(nativeHelpers, 'kiln-tesseract.so'), LD_DEBUG: 'bindings' })
    expect(fast.stdout).toBe(plain.stdout)
    for (const name of ['LoadUniversal', 'pixWriteMem', 'IsValid', 'WriteTimeStepPart'])
      expect(fast.stderr).toMatch(
        RegExp(`libtesseract\\S+ \\[0\\] to \\S+kiln-tesseract\\.so \\[0\\]: .*${name}`),
      )
  })

  const readsText = async (from: 'png' | 'jpg' | 'tiff' | 'webp') => {
    const page = join(kiln.folder, `picture-${from}`)
    await writeFile(`${page}.pdf`, minimalPdf('Fired clay lasts'))
    const painted = from === 'tiff' ? 'tiff' : 'png'
    await run('pdftoppm', ['-r', '150', `-${painted}`, '-singlefile', `${page}.pdf`, page])
    if (from === 'jpg' || from === 'webp')
      await run('ffmpeg', ['-v', 'error', '-y', '-i', `${page}.png`, `${page}.${from}`])
    const picture = await readFile(`${page}.${from === 'tiff' ? 'tif' : from}`)
    const text = await readFile(await kiln.convert(picture, from, 'txt'), 'utf8')
    expect(text).toContain('Fired clay lasts')
  }
  test.each(['png'] as const)('the text of a %s', readsText)
  test.each(['jpg', 'tiff', 'webp'] as const)('the text of a %s', { tags: 'slow' }, readsText)

  test('every page of a TIFF is read', { tags: 'slow' }, async () => {
    const page = join(kiln.folder, 'pages')
    for (const [i, text] of ['Fired clay lasts', 'Glazed bowls shine'].entries()) {
      await writeFile(`${page}-${i}.pdf`, minimalPdf(text))
      await run('pdftoppm', ['-r', '150', '-tiff', '-singlefile', `${page}-${i}.pdf`, `${page}-${i}`])
    }
    await run('tiffcp', [`${page}-0.tif`, `${page}-1.tif`, `${page}.tif`])
    const markdown = await kiln.convert(await readFile(`${page}.tif`), 'tiff', 'md')
    expect(await readFile(markdown, 'utf8')).toMatch(/Fired clay lasts[\s\S]*Glazed bowls shine/)
  })

  test('a picture that is cut off fails with its word', async () => {
    const start = Buffer.from('89504e470d0a1a0a0000000d4948445200000010', 'hex')
    await expect(kiln.convert(start, 'png', 'txt')).rejects.toMatchObject({ word: 'corrupt-input' })
  })

  test('a PDF that is none fails with its word', async () => {
    await expect(convert('%PDF-1.4\nnothing of use', 'docx')).rejects.toMatchObject({ word: 'corrupt-input' })
  })
})
