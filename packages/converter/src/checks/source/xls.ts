import type { OleStream } from '../../catalog/file-types/ole.ts'
import type { Content } from './content.ts'

// The cells of an xls file. [MS-XLS]: a stream of records, for the workbook first and then for each sheet. Cells with
// text have a number in the list of strings, which is one record that goes on in others.

const maxBytes = 8 * 1024 * 1024

const records = {
  formula: 0x0006,
  end: 0x000a,
  name: 0x0018,
  locked: 0x002f,
  goesOn: 0x003c,
  drawn: 0x005d,
  column: 0x007d,
  sheet: 0x0085,
  numbers: 0x00bd,
  strings: 0x00fc,
  stringCell: 0x00fd,
  numberCell: 0x0203,
  row: 0x0208,
  smallNumber: 0x027e,
}
const printArea = 6
const picture = 8

interface Part {
  type: number
  body: Buffer
}

export async function readXls(streams: ReadonlyMap<string, OleStream>): Promise<Content> {
  const stream = await streams.get('Workbook')?.start(maxBytes)
  // Workbooks from before Excel 97 have another layout.
  if (!stream) return { text: '' }
  const workbook = [...recordsFrom(stream, 0)]
  if (workbook.some(({ type }) => type === records.locked)) return { text: '' }
  const sheets = workbook.filter(({ type, body }) => type === records.sheet && body.length >= 6)
  const shown = sheets.filter(({ body }) => ((body[4] ?? 0) & 3) === 0)
  const cells = shown.flatMap(({ body }) => [...recordsFrom(stream, body.readUInt32LE(0))])
  const used = new Set(
    cells
      .filter(({ type, body }) => type === records.stringCell && body.length >= 10)
      .map(({ body }) => body.readUInt32LE(6)),
  )
  const numbers = [records.formula, records.numbers, records.numberCell, records.smallNumber]
  return {
    text: [
      ...readStrings(workbook).filter((_, index) => used.has(index)),
      ...cells.filter(({ type }) => numbers.includes(type)).map(() => '0'),
    ].join(' '),
    pictures: cells.some(isPicture),
    mayBeHidden: cells.some(isHidden),
    hasPrintArea: workbook.some(isPrintArea),
  }
}

function* recordsFrom(stream: Buffer, start: number): Generator<Part> {
  for (let at = start; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at)
    const length = stream.readUInt16LE(at + 2)
    if (type === records.end) return
    yield { type, body: stream.subarray(at + 4, at + 4 + length) }
    at += 4 + length
  }
}

/** It is to be printed, and a picture. */
const isPicture = ({ type, body }: Part) =>
  type === records.drawn &&
  body.length >= 10 &&
  body.readUInt16LE(4) === picture &&
  (body.readUInt16LE(8) & 0x10) !== 0

const isPrintArea = ({ type, body }: Part) =>
  type === records.name && ((body[0] ?? 0) & 0x20) !== 0 && body[15] === printArea

const isHidden = ({ type, body }: Part) =>
  (type === records.column && ((body[8] ?? 0) & 1) !== 0) ||
  (type === records.row && ((body[12] ?? 0) & 0x20) !== 0)

function readStrings(workbook: readonly Part[]): string[] {
  const first = workbook.findIndex(({ type }) => type === records.strings)
  if (first === -1) return []
  const after = workbook.slice(first + 1)
  const more = after.findIndex(({ type }) => type !== records.goesOn)
  const pieces = [workbook[first], ...after.slice(0, more === -1 ? undefined : more)].map(
    (part) => part?.body ?? Buffer.alloc(0),
  )
  let piece = 0
  let at = 8
  const current = () => pieces[piece] ?? Buffer.alloc(0)
  const skip = (bytes: number) => {
    at += bytes
    while (at > current().length && piece < pieces.length) {
      at -= current().length
      piece += 1
    }
  }
  const strings: string[] = []
  for (;;) {
    if (at >= current().length) {
      piece += 1
      at = 0
    }
    if (at + 3 > current().length) return strings
    let characters = current().readUInt16LE(at)
    let flags = current()[at + 2] ?? 0
    at += 3
    const runs = flags & 8 ? current().readUInt16LE(at) : 0
    if (flags & 8) at += 2
    const extra = flags & 4 ? current().readUInt32LE(at) : 0
    if (flags & 4) at += 4
    let text = ''
    while (characters > 0 && piece < pieces.length) {
      const width = flags & 1 ? 2 : 1
      const here = Math.min(characters, Math.floor((current().length - at) / width))
      text += current().toString(width === 2 ? 'utf16le' : 'latin1', at, at + here * width)
      characters -= here
      at += here * width
      if (characters === 0) break
      // A continued string starts with another byte for the width of its characters.
      piece += 1
      flags = (flags & ~1) | (current()[0] ?? 0)
      at = 1
    }
    strings.push(text)
    skip(4 * runs + extra)
  }
}
