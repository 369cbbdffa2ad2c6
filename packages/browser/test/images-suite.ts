import { execFileSync } from 'node:child_process'
import { blue, type Colour, png, quarteredImage, quarters, red, white } from '@kiln/test-support/png.ts'
import { expect, test } from 'vitest'
import type { InputFile, TestPage } from './browsers.ts'
import { expectColours, lookOf } from './colours.ts'

const file = (name: string, bytes: Uint8Array): InputFile => ({ name, bytes })
const image = quarteredImage()

// HEVC, 64 × 64: red and blue above white and green.
const heic = Buffer.from(
  'AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABQG1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABYAAAAJcAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAMRpcHJwAAAApmlwY28AAAB3aHZjQwEECAAAAJ4oAAAAAB7wAPz/+PgAAA8DoAABABdAAQwB//8ECAAAAwCeKAAAAwAAHroCQKEAAQAqQgEBBAgAAAMAnigAAAMAAB6QBBAgst1JJlc3AgIGBAAAAwAEAAADAGQgogABAAhEAcFyhgwCJAAAABRpc3BlAAAAAAAAAEAAAABAAAAAE2NvbHJuY2x4AAEADQAGgAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAACfbWRhdAAAABdAAQwB//8ECAAAAwCeKAAAAwAAHroCQAAAACpCAQEECAAAAwCeKAAAAwAAHpAEECCy3UkmVzcCAgYEAAADAAQAAAMAZCAAAAAIRAHBcoYMAiQAAAA+KAGvBXhQA4cj/kw////leu7//Su4dqr/Qfn33/A/9//+gZTgvD/aIMa/9ls///W+kPtF18Pf/yin//9fEyg=',
  'base64',
)
const green: Colour = [0, 255, 0, 255]

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">' +
    '<image xlink:href="http://127.0.0.1:9/never.png" width="9" height="9"/><script>document.title = "ran"</script>' +
    '<rect width="64" height="64" fill="#f00"/></svg>',
)

/** As other programs write it. */
const tiff = (compression: string): Buffer =>
  execFileSync(
    'ffmpeg',
    [
      '-loglevel',
      'error',
      '-f',
      'png_pipe',
      '-i',
      'pipe:0',
      '-compression_algo',
      compression,
      '-f',
      'image2pipe',
      '-c:v',
      'tiff',
      'pipe:1',
    ],
    { input: image },
  )

const starts: Readonly<Record<string, string>> = {
  avif: '000000',
  bmp: '424d',
  gif: '474946',
  ico: '000001',
  jpg: 'ffd8ff',
  pdf: '255044462d',
  tiff: '4d4d002a',
  webp: '52494646',
}

const opaque = new Set(['jpg', 'pdf'])

/** The colours of the quarters of an output: these formats have a white background. */
function coloursOf(from: string, to: string): readonly Colour[] {
  if (from === 'heic') return [red, blue, white, green]
  if (from === 'svg') return [red, red, red, red]
  return opaque.has(from) || opaque.has(to) ? [red, blue, white, white] : quarters
}

/** An icon with the type of a cursor; its hot spot is where an icon has its colours. */
function cursorOf(icon: Buffer): Buffer {
  const cursor = Buffer.from(icon)
  cursor.writeUInt16LE(2, 2)
  cursor.writeUInt32LE(0, 10)
  return cursor
}

export function testImages(page: () => TestPage): void {
  test('every image becomes every format, with the same pixels', async () => {
    // Formats that are written are read from our own files; ffmpeg, libheif and a text editor wrote the others.
    const sources = new Map([['png', image]])
    for (const [to, start] of Object.entries(starts)) {
      const { bytes } = await page().convert(file('a.png', image), to)
      expect(bytes.toString('hex'), to).toMatch(new RegExp(`^${start}`))
      sources.set(to, bytes)
    }
    sources.set('heic', heic)
    sources.set('svg', svg)
    sources.set('cur', cursorOf(sources.get('ico') as Buffer))
    for (const [from, bytes] of sources)
      for (const to of ['png', ...Object.keys(starts)]) {
        if (from === to) continue
        const output = await page().convert(file(`a.${from}`, bytes), to, { dpi: 96 })
        const { bytes: back } =
          to === 'png' ? output : await page().convert(file(`a.${to}`, output.bytes), 'png', { dpi: 96 })
        const look = await lookOf(page(), back)
        expect([look.width, look.height], `${from} to ${to}`).toEqual([64, 64])
        expectColours(look, coloursOf(from, to), 12, `${from} to ${to}`)
      }
  })

  test('HEIC, compressed TIFF and SVG are read; an SVG runs and loads nothing', async () => {
    const fromHeic = await page().convert(file('a.heic', heic), 'jpg')
    expectColours(await lookOf(page(), fromHeic.bytes), [red, blue, white, green], 12)
    for (const compression of ['lzw', 'deflate', 'packbits', 'raw']) {
      const { bytes } = await page().convert(file('a.tif', tiff(compression)), 'png')
      expectColours(await lookOf(page(), bytes), quarters)
    }
    const fromSvg = await page().convert(file('a.svg', svg), 'png')
    expectColours(await lookOf(page(), fromSvg.bytes), [red, red, red, red])
    expect(await page().evaluate('document.title')).toBe('Test')
  })

  test('images that are too large or damaged fail', async () => {
    const hugeTiff = tiff('raw')
    // The width and height of the first directory.
    const directory = hugeTiff.readUInt32LE(4)
    for (const entry of [0, 1, 2]) {
      const at = directory + 2 + 12 * entry
      if ([256, 257].includes(hugeTiff.readUInt16LE(at))) hugeTiff.writeUInt16LE(60_000, at + 8)
    }
    const huge = [
      file('huge.png', png(60_000, 60_000, Buffer.alloc(1000))),
      file('huge.svg', Buffer.from(svg.toString().replaceAll('"64"', '"60000"'))),
      file('huge.tiff', hugeTiff),
    ]
    for (const each of huge)
      expect(await page().failure(each, 'jpg'), each.name).toMatchObject({
        code: 'too-large',
        message: expect.stringContaining('60,000 × 60,000 pixels'),
      })
    const damaged = [
      file('cut off.png', image.subarray(0, 40)),
      file('cut off.heic', heic.subarray(0, 380)),
      file('no.heic', Buffer.from('no image')),
      file('no.tiff', Buffer.from('no image')),
      file('no.png', Buffer.from('no image')),
    ]
    for (const each of damaged)
      expect((await page().failure(each, 'jpg')).code, each.name).toBe('corrupt-input')
  })
}
