import { expect, test } from 'vitest'
import { declaredSize } from './declared-size.ts'

const sizeOf = (...hex: string[]) =>
  declaredSize(new Blob([Buffer.from(hex.join('').replaceAll(' ', ''), 'hex'), new Uint8Array(26)]))
const size = { width: 60_000, height: 40_000 }

test('PNG, GIF and BMP', async () => {
  expect(await sizeOf('89504e47 0d0a1a0a 0000000d 49484452', '0000ea60 00009c40')).toEqual(size)
  expect(await sizeOf('474946383961', '60ea 409c')).toEqual(size)
  const bmp = '424d 00000000 00000000 7a000000 6c000000'
  expect(await sizeOf(bmp, '60ea0000 409c0000')).toEqual(size)
  // Rows from the top have a negative height.
  expect(await sizeOf(bmp, '60ea0000 c063ffff')).toEqual(size)
})

test('JPEG, after metadata, tables and fill bytes', async () => {
  const metadata = 'ffe1 0006 c0c0c0c0'
  const table = 'ffc4 0004 ffc0'
  const frame = 'ffff c2 0011 08 9c40 ea60'
  expect(await sizeOf('ffd8', metadata, table, frame)).toEqual(size)
})

test('another format, and a header that is cut off', async () => {
  expect(await sizeOf('52494646')).toBe(null)
  expect(await sizeOf('ffd8', 'ffe1 ffff')).toBe(null)
  // A segment of length 0 does not stop the scan.
  expect(await sizeOf('ffd8', 'ffe1 0000'.repeat(9))).toBe(null)
  expect(await declaredSize(new Blob(['x']))).toBe(null)
})
