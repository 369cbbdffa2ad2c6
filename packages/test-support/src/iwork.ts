import { zip } from './zip.ts'

// Small documents of Pages, Numbers and Keynote as these programs write them since 2013: Protocol Buffers messages,
// packed with Snappy, of which only literal bytes are used here. Numbers of types and fields as LibreOffice reads them.

type Field = readonly [number: number, value: number | string | Buffer]

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}

const message = (...fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)])
      const bytes = Buffer.from(value)
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
    }),
  )

const float = (number: number, value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(number * 8 + 5), bytes])
}

const reference = (id: number): Buffer => message([1, id])

/** An object with its header. */
const object = (id: number, type: number, content: Buffer): Buffer => {
  const header = message([1, id], [2, message([1, type], [3, content.length])])
  return Buffer.concat([varint(header.length), header, content])
}

/** One chunk of one literal. */
function iwa(...objects: readonly Buffer[]): Buffer {
  const data = Buffer.concat(objects)
  const length = Buffer.alloc(3)
  length.writeUIntLE(data.length - 1, 0, 3)
  const packed = Buffer.concat([varint(data.length), Buffer.from([62 << 2]), length, data])
  const head = Buffer.alloc(4)
  head.writeUIntLE(packed.length, 1, 3)
  return Buffer.concat([head, packed])
}

const types = {
  pages: 10_000,
  document: 1,
  sheet: 2,
  show: 2,
  slideList: 4,
  slide: 5,
  text: 2001,
  shape: 2011,
  table: 6000,
  model: 6001,
  tile: 6002,
  strings: 6005,
  index: 11_006,
}

/** `parts` by name; object 2 lists them, each with the number of its first object. */
function iworkFile(parts: Readonly<Record<string, { first: number; objects: readonly Buffer[] }>>): Buffer {
  const list = Object.entries(parts).map(([name, { first }]): Field => [3, message([1, first], [2, name])])
  return zip([
    ...Object.entries(parts).map(([name, { objects }]) => ({
      name: `Index/${name}.iwa`,
      content: iwa(...objects),
      stored: true,
    })),
    { name: 'Index/Metadata.iwa', content: iwa(object(2, types.index, message(...list))), stored: true },
    identifier,
  ])
}

const identifier = {
  name: 'Metadata/DocumentIdentifier',
  content: '00000000-0000-0000-0000-000000000000',
  stored: true,
}

/** The same document saved as a folder, and that folder compressed in Finder. */
export const compressedFolder = (name: string, document: Buffer): Buffer =>
  zip([
    { name: `${name}/`, content: '', stored: true },
    { name: `${name}/Index.zip`, content: document, stored: true },
    { ...identifier, name: `${name}/${identifier.name}` },
    { name: `__MACOSX/${name}/._Index.zip`, content: 'Finder', stored: true },
  ])

const text = (id: number, content: string) => object(id, types.text, message([3, content]))

const pair = (x: number, y: number) => Buffer.concat([float(1, x), float(2, y)])
const placement = message([1, message([1, pair(60, 60)], [2, pair(400, 120)], [3, 3])])

const rectangle = message([4, Buffer.concat([message([1, 0]), float(2, 0), message([3, pair(400, 120)])])])

/** A text box, whose text is another object. */
const textBox = (id: number, textId: number): Buffer =>
  object(id, types.shape, message([1, message([1, placement], [3, rectangle])], [2, reference(textId)]))

export const pagesFile = (content: string): Buffer =>
  iworkFile({
    Document: {
      first: 1,
      objects: [object(1, types.pages, message([4, reference(10)])), text(10, content)],
    },
  })

/** A sheet with one table of texts. In a version to come the cells may be in objects of another type. */
export function numbersFile(
  rows: readonly (readonly string[])[],
  { tileType = types.tile }: { tileType?: number } = {},
): Buffer {
  const texts = rows.flat()
  const width = rows[0]?.length ?? 0
  const strings = texts.map((content, index): Field => [3, message([1, index + 1], [3, content])])
  const tileRows = rows.map((row, y): Field => {
    const cells = Buffer.concat(row.map((_, x) => textCell(y * width + x + 1)))
    const offsets = Buffer.from(Uint16Array.from(row, (_, x) => x * cellBytes).buffer)
    return [5, message([1, y], [3, cells], [4, offsets])]
  })
  const grid = message([3, message([1, message([2, reference(14)])])], [4, reference(13)])
  return iworkFile({
    Document: {
      first: 1,
      objects: [
        object(1, types.document, message([1, reference(10)])),
        object(10, types.sheet, message([1, 'Sheet'], [2, reference(11)])),
        object(11, types.table, message([1, placement], [2, reference(12)])),
        object(12, types.model, message([4, grid], [6, rows.length], [7, width], [8, 'Table'])),
        object(13, types.strings, message([1, 1], ...strings)),
        object(14, tileType, message(...tileRows)),
      ],
    },
  })
}

const cellBytes = 16

/** A version, the type text, the flag that a number of a text follows, and that number. */
function textCell(id: number): Buffer {
  const cell = Buffer.alloc(cellBytes)
  cell.set([4, 3, 0, 0, 0x10])
  cell.writeUInt32LE(id, 12)
  return cell
}

export const keynoteFile = (content: string): Buffer =>
  iworkFile({
    Document: {
      first: 1,
      objects: [
        object(1, types.document, message([2, reference(10)])),
        object(10, types.show, message([3, message([1, reference(11)])], [4, pair(800, 600)])),
        object(11, types.slideList, message([2, reference(20)])),
      ],
    },
    Slide: {
      first: 20,
      objects: [object(20, types.slide, message([7, reference(21)])), textBox(21, 22), text(22, content)],
    },
  })
