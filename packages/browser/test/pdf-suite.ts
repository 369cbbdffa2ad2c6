import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { pdfFacts, pdfText } from '@kiln/test-support/pdf-facts.ts'
import { pdfFile } from '@kiln/test-support/pdf-file.ts'
import { blue, red, white } from '@kiln/test-support/png.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import type { InputFile, TestPage } from './browsers.ts'
import { expectColours, lookOf } from './colours.ts'

/** Pages of 300 by 200 points, each with a word; the left half is red above and white below, the right half blue. */
function pdfOf(words: readonly string[]): Buffer {
  const firstPage = 4
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${words.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')}] /Count ${words.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...words.flatMap((word, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${firstPage + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      {
        dictionary: '',
        stream: `1 0 0 rg 0 100 150 100 re f 0 0 1 rg 150 0 150 200 re f 0 g BT /F1 12 Tf 5 5 Td (${word}) Tj ET`,
      },
    ]),
  ])
}

/** A photograph at 900 pixels per inch: many more than a page can show. */
function pdfWithImage(): Buffer {
  const side = 900
  const pixels = Buffer.alloc(side * side * 3)
  let seed = 1
  for (let at = 0; at < pixels.length; at += 3) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    const noise = seed >>> 29
    const isLeft = (at / 3) % side < side / 2
    pixels[at] = (isLeft ? 240 : 10) + noise
    pixels[at + 1] = noise
    pixels[at + 2] = (isLeft ? 10 : 240) + noise
  }
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    { dictionary: '', stream: 'q 72 0 0 72 0 0 cm /I Do Q' },
    { dictionary: image, stream: deflateSync(pixels) },
  ])
}

const file = (name: string, bytes: Uint8Array): InputFile => ({ name, bytes })

/** The words of the pages in order, and their sizes. */
async function factsOf(bytes: Buffer): Promise<{ words: string[]; sizes: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-pdf-'))
  try {
    const path = join(folder, 'a.pdf')
    await writeFile(path, bytes)
    const { sizes } = await pdfFacts(path)
    const words = (await pdfText(path)).match(/\w+/g) ?? []
    return { words: [...words], sizes: sizes.map(({ width, height }) => `${width}x${height}`) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

export function testPdf(page: () => TestPage): void {
  const three = () => file('three.pdf', pdfOf(['one', 'two', 'three']))

  test('pages are merged, extracted and split', async () => {
    const merged = await page().convert([three(), file('more.pdf', pdfOf(['four']))], 'pdf')
    expect((await factsOf(merged.bytes)).words).toEqual(['one', 'two', 'three', 'four'])
    const extracted = await page().convert(three(), 'pdf', { pages: '3, 1' })
    expect((await factsOf(extracted.bytes)).words).toEqual(['three', 'one'])
    const split = await page().convert(three(), 'pdf', { split: true })
    expect(split.type).toBe('application/zip')
    const parts = [...unzip(split.bytes)]
    expect(parts.map(([name]) => name)).toEqual(['page 1.pdf', 'page 2.pdf', 'page 3.pdf'])
    expect((await factsOf((parts[1] as [string, Buffer])[1])).words).toEqual(['two'])
  })

  test('pages are rotated', async () => {
    const { bytes } = await page().convert(three(), 'pdf', { rotate: 90 })
    const image = await page().convert(file('turned.pdf', bytes), 'png', { pages: '1', dpi: 72 })
    const look = await lookOf(page(), image.bytes)
    expect([look.width, look.height]).toEqual([200, 300])
    expectColours(look, [white, red, blue, blue])
    expect((await factsOf(bytes)).words).toEqual(['one', 'two', 'three'])
  })

  test('pages become images', async () => {
    const png = await page().convert(file('one.pdf', pdfOf(['one'])), 'png', { dpi: 144 })
    const look = await lookOf(page(), png.bytes)
    expect([look.width, look.height]).toEqual([600, 400])
    expectColours(look, [red, blue, white, blue])
    const several = await page().convert(three(), 'jpg')
    const images = unzip(several.bytes)
    expect([...images.keys()]).toEqual(['page 1.jpg', 'page 2.jpg', 'page 3.jpg'])
    expectColours(await lookOf(page(), images.get('page 3.jpg') as Buffer), [red, blue, white, blue])
  })

  test('compressing makes images smaller and nothing larger', async () => {
    const original = pdfWithImage()
    const { bytes } = await page().convert(file('scan.pdf', original), 'pdf', { compress: true })
    expect(bytes.length).toBeLessThan(original.length / 5)
    const [left, right] = [[243, 3, 13, 255] as const, [13, 3, 243, 255] as const]
    const drawn = await page().convert(file('scan.pdf', bytes), 'png')
    expectColours(await lookOf(page(), drawn.bytes), [left, right, left, right], 12)
    const small = pdfOf(['one'])
    const same = await page().convert(file('small.pdf', small), 'pdf', { compress: true })
    expect(same.bytes.length).toBeLessThanOrEqual(small.length)
  })

  test('damaged and encrypted files, and pages that are not there, fail', async () => {
    expect((await page().failure(file('no.pdf', Buffer.from('%PDF-1.7 no')), 'png')).code).toBe(
      'corrupt-input',
    )
    expect((await page().failure(three(), 'pdf', { pages: '9' })).message).toContain('1 to 3')
  })
}
