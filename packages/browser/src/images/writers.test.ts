import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bmpFile, icoFile } from './bmp.ts'
import { pdfFile } from './pdf.ts'
import type { Pixels } from './pixels.ts'

// Two pixels above each other: red, and half transparent blue.
const data = new Uint8ClampedArray([255, 0, 0, 255, 0, 0, 255, 128])
const pixels: Pixels = {
  width: 1,
  height: 2,
  rows: (first, count) => data.slice(4 * first, 4 * (first + count)),
}
const ignore = () => {}
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

test('BMP: the pixels from the top as BGRA, and the length of the file', async () => {
  const bytes = await bytesOf(await bmpFile(pixels, ignore))
  expect(bytes.subarray(0, 2).toString()).toBe('BM')
  expect(bytes.readUInt32LE(2)).toBe(bytes.length)
  expect(bytes.readInt32LE(22)).toBe(-2)
  expect([...bytes.subarray(bytes.readUInt32LE(10))]).toEqual([0, 0, 255, 255, 255, 0, 0, 128])
})

test('icon: the PNG is where the directory says, and 256 is written as 0', async () => {
  const bytes = await bytesOf(icoFile(256, 16, new Blob(['PNG'])))
  expect([bytes[6], bytes[7]]).toEqual([0, 16])
  const start = bytes.readUInt32LE(18)
  expect(bytes.subarray(start, start + bytes.readUInt32LE(14)).toString()).toBe('PNG')
})

test('PDF: RGB without loss, and every offset leads to its object', async () => {
  const bytes = await bytesOf(await pdfFile(pixels, null, ignore))
  const text = bytes.toString('latin1')
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1])
  expect(text.slice(table, table + 4)).toBe('xref')
  const offsets = [...text.slice(table).matchAll(/(\d{10}) 00000 n/g)].map(([, digits]) => Number(digits))
  expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(
    [1, 2, 3, 4, 5].map((number) => `${number} 0 obj`),
  )
  const image = /\/FlateDecode \/Length (\d+) >>\nstream\n/.exec(text) as RegExpExecArray
  const start = image.index + image[0].length
  expect([...inflateSync(bytes.subarray(start, start + Number(image[1])))]).toEqual([255, 0, 0, 0, 0, 255])
})

test('PDF: a page is at most 14,400 points long', async () => {
  const long = {
    ...pixels,
    height: 30_000,
    rows: (_: number, count: number) => new Uint8ClampedArray(4 * count),
  }
  const text = (await bytesOf(await pdfFile(long, null, ignore))).toString('latin1')
  expect(text).toContain('/MediaBox [0 0 0.48 14400.00]')
})
