import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FormatName } from '@kiln/converter/catalog'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { beforeAll, describe, expect, it } from 'vitest'

// Scans and pictures of pages become PDF/A whose pages look as before and have an invisible text layer.

const run = promisify(execFile)
const program = fileURLToPath(new URL('../../../edit-pdf/make_pdfa.py', import.meta.url))
const faultsOf = async (path: string, standard = '2u') =>
  (await run('/usr/bin/python3', ['-B', program, '--check', path, standard])).stdout
const textOf = async (path: string) => (await run('pdftotext', [path, '-'])).stdout.trim()

const left = ['Kilns fire clay at great heat', 'and the potter waits outside']
const right = ['Glazed bowls shine in the sun', 'until the market has closed']
const column = (lines: readonly string[], x: number) =>
  lines.map((line, i) => `BT /F1 14 Tf ${x} ${700 - 20 * i} Td (${line}) Tj ET`).join(' ')
const typeset = onePage(`${column(left, 60)} ${column(right, 340)}`)
const pixels = { width: 1275, height: 1650 }

const kiln = useTestConverter()
let jpeg: Buffer
let scan: Buffer
beforeAll(async () => {
  await writeFile(place('typeset.pdf'), typeset)
  await run('pdftoppm', ['-r', '150', '-jpeg', '-singlefile', place('typeset.pdf'), place('page')])
  await run('pdftoppm', ['-r', '150', '-png', '-gray', '-singlefile', place('typeset.pdf'), place('page')])
  jpeg = await readFile(place('page.jpg'))
  scan = scannedPage(jpeg, pixels)
})

const place = (name: string) => join(kiln.folder, name)

async function convert(input: Buffer, options = {}, from: FormatName = 'pdf') {
  const output = place(`made-${Math.random()}.pdf`)
  const { report } = await kiln.converter.convertFile({
    pair: pairOf(from, 'pdfa'),
    options,
    output,
    input: (path) => writeFile(path, input),
  })
  return { output, report }
}

async function dotsOf(path: string): Promise<Buffer> {
  const { stdout } = await run('pdftoppm', ['-r', '72', path], { encoding: 'buffer', maxBuffer: 2 ** 26 })
  return stdout
}

async function boxOf(path: string, word: string): Promise<number[]> {
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
  const found = new RegExp(`xMin="([\\d.]+)" yMin="([\\d.]+)" xMax="([\\d.]+)" yMax="([\\d.]+)">${word}<`)
  return found.exec(stdout)?.slice(1).map(Number) ?? []
}

describe('a scan', () => {
  it('looks as before, conforms, and its text is found in order and in its place', async () => {
    const { output, report } = await convert(scan)
    expect(await faultsOf(output)).toBe('')
    const text = await textOf(output)
    expect(text.split(/\s*\n\s*/)).toEqual([...left, ...right])
    await writeFile(place('scan.pdf'), scan)
    expect(await dotsOf(output)).toEqual(await dotsOf(place('scan.pdf')))
    expect((await stat(output)).size).toBeLessThan(1.1 * scan.length)
    expect(report.recognized).toMatchObject({ pages: '1', languages: ['eng'] })
    expect(report.recognized?.confidence).toBeGreaterThan(0.8)
    for (const word of ['Kilns', 'market']) {
      const [is, was] = [await boxOf(output, word), await boxOf(place('typeset.pdf'), word)]
      expect(is).toHaveLength(4)
      for (const [side, value] of is.entries()) expect(Math.abs(value - (was[side] ?? 0))).toBeLessThan(4)
    }
  })

  it('is not recognised again once it has a text layer', { tags: 'slow' }, async () => {
    const { output } = await convert(scan, { pdfa: '1b' })
    expect(await faultsOf(output, '1b')).toBe('')
    const again = await convert(await readFile(output))
    expect(again.report.recognized).toBeNull()
    expect(await textOf(again.output)).toBe(await textOf(output))
    const { stdout } = await run('pdffonts', [again.output])
    expect(stdout.match(/Recognised/g)).toHaveLength(1)
  })

  it('gets no text layer where that was not asked for', async () => {
    const { output, report } = await convert(scan, { ocr: 'never' })
    expect(await textOf(output)).toBe('')
    expect(report.recognized).toBeNull()
    expect(await faultsOf(output)).toBe('')
  })

  it('is read in the languages that are named, and a missing one is reported', { tags: 'slow' }, async () => {
    const { report } = await convert(scan, { languages: ['deu'] })
    expect(report.recognized).toMatchObject({ languages: ['deu'] })
    const failure = await kiln.failure(scan, 'pdf', 'pdfa', { options: { languages: ['tlh'] } })
    expect(failure).toMatch(/^unsupported: Text recognition here does not know the language tlh/)
  })

  it('on a page that is shown turned, the text lies on its words', { tags: 'slow' }, async () => {
    await writeFile(place('upright.pdf'), scan)
    await run('qpdf', ['--rotate=+90', place('upright.pdf'), place('turned.pdf')])
    const { output } = await convert(await readFile(place('turned.pdf')))
    await run('qpdf', ['--rotate=-90', output, place('back.pdf')])
    expect((await textOf(place('back.pdf'))).split(/\s*\n\s*/)).toEqual([...left, ...right])
  })
})

describe('a picture', () => {
  it('JPEG data is kept as it is, upright as its camera says', { tags: 'slow' }, async () => {
    const { output, report } = await convert(jpeg, {}, 'jpg')
    expect(await faultsOf(output)).toBe('')
    expect(await textOf(output)).toContain(right[0])
    expect(report.recognized).toMatchObject({ pages: '1' })
    await run('pdfimages', ['-all', output, place('kept')])
    expect(await readFile(place('kept-000.jpg'))).toEqual(jpeg)
    // Exif: orientation 6, the top of the page is the right side of the stored picture.
    const exif = Buffer.from(
      'ffe1002245786966000049492a0008000000010012010300010000000600000000000000',
      'hex',
    )
    await run('ffmpeg', ['-v', 'error', '-i', place('page.jpg'), '-vf', 'transpose=2', place('side.jpg')])
    const side = await readFile(place('side.jpg'))
    const camera = Buffer.concat([side.subarray(0, 2), exif, side.subarray(2)])
    const turned = (await convert(camera, { ocr: 'never' }, 'jpg')).output
    expect((await run('pdfinfo', [turned])).stdout).toMatch(/Page size: +650\.\d+ x 842/)
  })

  it('pixels of a PNG are kept', { tags: 'slow' }, async () => {
    const png = await readFile(place('page.png'))
    const { output } = await convert(png, {}, 'png')
    expect(await faultsOf(output)).toBe('')
    expect(await textOf(output)).toContain(left[0])
    expect((await stat(output)).size).toBeLessThan(1.1 * png.length + 4000)
    await run('pdfimages', ['-png', output, place('same')])
    const dots = async (name: string) =>
      (
        await run('ffmpeg', ['-v', 'error', '-i', place(name), '-f', 'rawvideo', '-pix_fmt', 'gray', '-'], {
          encoding: 'buffer',
          maxBuffer: 2 ** 26,
        })
      ).stdout
    expect(await dots('same-000.png')).toEqual(await dots('page.png'))
  })

  it('every page of a TIFF', { tags: 'slow' }, async () => {
    for (const [i, text] of ['Fired clay lasts long', 'Glazed bowls shine bright'].entries()) {
      await writeFile(place(`${i}.pdf`), onePage(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`))
      await run('pdftoppm', ['-r', '150', '-tiff', '-mono', '-singlefile', place(`${i}.pdf`), place(`${i}`)])
    }
    await run('tiffcp', ['-c', 'g4', place('0.tif'), place('1.tif'), place('both.tif')])
    const { output, report } = await convert(await readFile(place('both.tif')), {}, 'tiff')
    expect(await faultsOf(output)).toBe('')
    expect(await textOf(output)).toMatch(/Fired clay lasts long[\s\S]*\f[\s\S]*Glazed bowls shine bright/)
    expect(report.recognized).toMatchObject({ pages: '1-2' })
    expect((await run('pdfimages', ['-list', output])).stdout.match(/ccitt/g)).toHaveLength(2)
  })

  it('a PNG with an alpha channel keeps its pixels and hardly grows', async () => {
    const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args])
    const best = ['-pred', 'mixed', '-compression_level', '9']
    await ffmpeg('-i', place('page.jpg'), '-pix_fmt', 'rgba', ...best, place('alpha.png'))
    const source = await readFile(place('alpha.png'))
    const { output } = await convert(source, {}, 'png')
    expect((await stat(output)).size).toBeLessThan(1.1 * source.length)
    await run('pdfimages', ['-png', output, place('embedded')])
    const pixelsOf = async (name: string): Promise<string> =>
      (await run('ffmpeg', ['-v', 'error', '-i', place(name), '-pix_fmt', 'rgb24', '-f', 'md5', '-'])).stdout
    expect(await pixelsOf('embedded-000.png')).toBe(await pixelsOf('alpha.png'))
  })

  it('a WebP with loss stays about as large, one without keeps its pixels', async () => {
    const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args])
    await ffmpeg('-i', place('page.jpg'), '-vf', 'scale=600:-1,noise=alls=12', place('noisy.png'))
    await ffmpeg('-i', place('noisy.png'), '-quality', '75', place('loss.webp'))
    await ffmpeg('-i', place('noisy.png'), '-lossless', '1', place('exact.webp'))
    const md5Of = async (name: string): Promise<string> =>
      (await run('ffmpeg', ['-v', 'error', '-i', place(name), '-pix_fmt', 'rgb24', '-f', 'md5', '-'])).stdout
    for (const name of ['loss.webp', 'exact.webp']) {
      const source = await readFile(place(name))
      const { output } = await convert(source, { ocr: 'never' }, 'webp')
      expect(await faultsOf(output)).toBe('')
      const isLossy = name === 'loss.webp'
      expect((await run('pdfimages', ['-list', output])).stdout.includes(' jpeg ')).toBe(isLossy)
      if (isLossy) expect((await stat(output)).size).toBeLessThan(1.5 * source.length)
      else {
        await run('pdfimages', ['-png', output, place('exact')])
        expect(await md5Of('exact-000.png')).toBe(await md5Of(name))
      }
    }
  })

  it('without text becomes PDF/A too, and the report says so', async () => {
    await run('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=green:s=300x200',
      '-frames:v',
      '1',
      place('green.webp'),
    ])
    const { output, report } = await convert(await readFile(place('green.webp')), {}, 'webp')
    expect(await faultsOf(output)).toBe('')
    expect(report.recognized).toBeNull()
    expect(JSON.stringify(report.warnings)).toContain('Page 1 is a picture, and no text was read from it.')
  })

  it('a damaged one fails', async () => {
    const cut = (await readFile(place('page.png'))).subarray(0, 3000)
    expect(await kiln.failure(cut, 'png', 'pdfa')).toMatch(/^corrupt-input: /)
  })
})
