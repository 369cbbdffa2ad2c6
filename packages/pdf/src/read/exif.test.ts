import { expect, test } from 'vitest'
import { exifOfWebp, orientationIn } from './exif.ts'
import { exifOfJpeg, jpegShape } from './jpeg.ts'
import { exifOfPng } from './png-input.ts'

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const frame = (channels: number) => segment(0xc0, Buffer.from([8, 0, 5, 0, 7, channels, 0, 0]))
const jpeg = (...segments: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments])
const scan = segment(0xda, Buffer.alloc(4))

const tiffOf = (value: number, order: 'II' | 'MM') => {
  const tiff = Buffer.alloc(26)
  tiff.write(order, 'latin1')
  const [put16, put32] =
    order === 'II'
      ? [tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)]
      : [tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)]
  put16(42, 2)
  put32(8, 4)
  put16(1, 8)
  put16(0x0112, 10)
  put16(3, 12)
  put32(1, 14)
  put16(value, 18)
  return tiff
}
const label = Buffer.from('Exif\0\0', 'latin1')
const exif = (value: number, order: 'II' | 'MM') =>
  segment(0xe1, Buffer.concat([label, tiffOf(value, order)]))
const orientationOf = (file: Uint8Array) => orientationIn(exifOfJpeg(file))

test('the size is found after other segments and fill bytes', () => {
  const file = jpeg(segment(0xe0, Buffer.from('JFIF\0')), Buffer.from([0xff]), frame(3), scan)
  expect(jpegShape(file)).toEqual({ width: 7, height: 5, channels: 3, isByAdobe: false })
  expect(jpegShape(Buffer.from('GIF89a'))).toBeUndefined()
  expect(jpegShape(jpeg(scan, frame(3)))).toBeUndefined()
})

test('Adobe is recognised by its own segment', () => {
  expect(jpegShape(jpeg(segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0')), frame(4)))).toMatchObject({
    channels: 4,
    isByAdobe: true,
  })
})

test.each(['II', 'MM'] as const)('the orientation is read in the byte order %s', (order) => {
  expect(orientationOf(jpeg(Buffer.from([0xff]), exif(6, order), frame(3), scan))).toBe(6)
  expect(orientationOf(jpeg(exif(9, order), scan))).toBe(1)
})

test('a file that is cut off anywhere has its usual orientation, or its own', () => {
  const file = jpeg(exif(8, 'II'), frame(3), scan)
  for (let length = 0; length <= file.length; length++)
    expect([1, 8]).toContain(orientationOf(file.subarray(0, length)))
})

test('the orientation of a PNG is in a chunk of its own', () => {
  const tiff = tiffOf(6, 'MM')
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(tiff.length)
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    size,
    Buffer.from('eXIf'),
    tiff,
    sum,
  ])
  expect(orientationIn(exifOfPng(png))).toBe(6)
  expect(orientationIn(exifOfPng(png.subarray(0, 20)))).toBe(1)
})

test.each([Buffer.alloc(0), label])('the orientation of a WebP is in a chunk, after %o', (before) => {
  const chunk = (name: string, data: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const data = Buffer.concat([before, tiffOf(8, 'II')])
  const webp = Buffer.concat([
    chunk('RIFF', Buffer.from('WEBP')),
    chunk('VP8X', Buffer.alloc(9)),
    chunk('EXIF', data),
  ])
  expect(orientationIn(exifOfWebp(webp))).toBe(8)
  for (let length = 0; length <= webp.length; length++)
    expect([1, 8]).toContain(orientationIn(exifOfWebp(webp.subarray(0, length))))
})
