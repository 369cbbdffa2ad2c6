import { expect, test } from 'vitest'
import { changeRecords } from './binary-workbook.ts'

const record = (type: number, ...words: number[]) => {
  const bytes = Buffer.alloc(4 + words.length * 2)
  for (const [index, word] of [type, words.length * 2, ...words].entries())
    bytes.writeUInt16LE(word, index * 2)
  return bytes
}
const start = (kind: number, version = 0x0600) => record(0x0809, version, kind, 0, 0)
const calibri = () => {
  const name = Buffer.from('Calibri', 'latin1')
  const font = Buffer.concat([Buffer.alloc(16), name, Buffer.alloc(1)])
  font.writeUInt16LE(220, 0)
  font[14] = name.length
  return Buffer.concat([record(0x0031, ...Array<number>(12).fill(0)).subarray(0, 4), font])
}
const row = (height: number) => record(0x0208, 0, 0, 1, height, 0, 0, 0x0100, 0)
const workbook = (...sheet: Buffer[]) => Buffer.concat([start(0x0005), calibri(), start(0x0010), ...sheet])
const changed = (...sheet: Buffer[]) => {
  const bytes = workbook(...sheet)
  expect(changeRecords(bytes)).toEqual({ name: 'Calibri', size: 11 })
  return bytes.subarray(workbook().length)
}

test('a stored height counts, at the height that is printed', () => {
  const found = changed(row(600))
  expect(found.readUInt16LE(4 + 6) / 20).toBeCloseTo(29.04, 1)
  expect(found.readUInt16LE(4 + 12)).toBe(0x0140)
  const default15 = changed(record(0x0225, 0, 300))
  expect([default15.readUInt16LE(4), default15.readUInt16LE(6)]).toEqual([1, 290])
})

test('a default row of a scaled display is printed as any other', () => {
  const found = changed(record(0x0225, 0, 288), row(288))
  expect([found.readUInt16LE(6), found.readUInt16LE(8 + 4 + 6)]).toEqual([290, 290])
})

test('columns have the unit that Excel prints', () => {
  expect(changed(record(0x007d, 0, 1, 2560, 15, 0, 0)).readUInt16LE(4 + 4)).toBe(2602)
})

test('default columns are 64 pixels wide', () => {
  const found = changed(record(0x020b, 0, 0, 0, 1, 0, 0, 0, 0))
  expect(found.readUInt16LE(0)).toBe(0x0099)
  expect(found.readUInt16LE(4)).toBe(Math.round((64 / 7) * 256 * (5.64 / 5.55)))
})

test('default columns have the base width of their sheet', () => {
  const widthOf = (digits: number) =>
    changed(record(0x020b, 0, 0, 0, 1, 0, 0, 0, 0), record(0x0055, digits)).readUInt16LE(4)
  expect(widthOf(10)).toBe(Math.round((80 / 7) * 256 * (5.64 / 5.55)))
  expect([widthOf(0), widthOf(0xffff)]).toEqual([widthOf(8), 0xffff])
})

const setup = () => record(0x00a1, ...Array<number>(17).fill(0))
const inches = (number: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(number)
  return [0, 2, 4, 6].map((at) => bytes.readUInt16LE(at))
}
const [iteration, change, outline] = [
  record(0x0011, 0),
  record(0x0010, 0, 0, 0, 0),
  record(0x0080, 0, 0, 0, 0),
]

test('margins without a record are an inch', () => {
  expect(changed(iteration, change, outline, setup())).toEqual(
    Buffer.concat([iteration, record(0x0029, ...inches(1)), record(0x0028, ...inches(1)), setup()]),
  )
  const top = record(0x0028, ...inches(0.5))
  expect(changed(record(0x0011, 1), change, outline, top, setup())).toEqual(
    Buffer.concat([record(0x0011, 1), change, record(0x0029, ...inches(1)), top, setup()]),
  )
})

test.each(['latin1', 'utf16le'] as const)(
  'the name of the file is left out of headings in %s',
  (encoding) => {
    const heading = (text: string) => {
      const start = Buffer.from([0x14, 0, 0, 0, text.length, 0, encoding === 'latin1' ? 0 : 1])
      const bytes = Buffer.concat([start, Buffer.from(text, encoding)])
      bytes.writeUInt16LE(bytes.length - 4, 2)
      return bytes
    }
    expect(changed(heading('&L&Z&F&C&A&R&&F'))).toEqual(heading('&L    &C&A&R&&F'))
  },
)

test('the protection of a sheet is removed', () => {
  expect(changed(record(0x0012, 1), record(0x0013, 0xcc1a))).toEqual(
    Buffer.concat([record(0x0012, 0), record(0x0013, 0)]),
  )
})

test('charts, workbooks of Excel 95 and records that are cut off stay as they are', () => {
  const chart = Buffer.concat([start(0x0005), calibri(), start(0x0020), row(600)])
  const copy = Buffer.from(chart)
  expect(changeRecords(copy)).toBeDefined()
  expect(copy).toEqual(chart)
  expect(changeRecords(Buffer.concat([start(0x0005, 0x0500), calibri()]))).toBeUndefined()
  const cut = workbook(row(600)).subarray(0, -10)
  const before = Buffer.from(cut)
  changeRecords(cut)
  expect(cut).toEqual(before)
})
