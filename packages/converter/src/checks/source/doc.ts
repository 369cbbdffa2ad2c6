import type { OleStream } from '../../catalog/file-types/ole.ts'
import type { Content } from './content.ts'

// The body of a doc file. [MS-DOC]: the file information block points to the piece table, and each piece to its text,
// with one or two bytes per character.

const maxBytes = 4 * 1024 * 1024
/** Most text is at the beginning. */
const bodyBytes = 1024 * 1024
/** The instructions that hide characters and mark them as deleted, switched on. */
const hide = Buffer.from([0x3c, 0x08, 0x01])
const markAsDeleted = Buffer.from([0x00, 0x08, 0x01])
const maxCharacters = 200_000

export async function readDoc(streams: ReadonlyMap<string, OleStream>): Promise<Content> {
  const stream = streams.get('WordDocument')
  const fib = await stream?.start(0x200)
  if (!stream || !fib || fib.length < 0x200) return { text: '' }
  // Word 6 and Word 95 keep their piece table elsewhere.
  if (fib.readUInt16LE(2) < 193) return { text: '' }
  const tables = await streams
    .get((fib.readUInt16LE(10) & 0x0200) === 0 ? '0Table' : '1Table')
    ?.start(maxBytes)
  if (!tables) return { text: '' }
  const document = await stream.start(bodyBytes)
  const at = fib.readUInt32LE(0x1a2)
  const pieces = readPieces(tables.subarray(at, at + fib.readUInt32LE(0x1a6)))
  const length = Math.min(fib.readUInt32LE(0x4c), maxCharacters)
  let body = ''
  // In a crafted file all pieces may refer to the same text.
  for (const piece of pieces) if (body.length < length) body += textOf(document, piece)
  const shown = withoutInstructions(body.slice(0, length))
  return {
    text: shown,
    pictures: shown.includes(marks.picture) || shown.includes(marks.drawing),
    mayBeHidden: document.includes(hide) || document.includes(markAsDeleted),
  }
}

interface Piece {
  at: number
  characters: number
  wide: boolean
}

function readPieces(list: Buffer): Piece[] {
  let at = 0
  // Before the pieces there may be formats.
  while (list[at] === 1) at += 3 + list.readUInt16LE(at + 1)
  if (list[at] !== 2) return []
  const table = list.subarray(at + 5, at + 5 + list.readUInt32LE(at + 1))
  const count = Math.floor((table.length - 4) / 12)
  return Array.from({ length: Math.max(0, count) }, (_, piece) => {
    const characters = table.readUInt32LE(4 * piece + 4) - table.readUInt32LE(4 * piece)
    const place = table.readUInt32LE(4 * (count + 1) + 8 * piece + 2)
    const wide = (place & 0x40000000) === 0
    return { at: wide ? place : (place & 0x3fffffff) / 2, characters, wide }
  })
}

const narrow = new TextDecoder('windows-1252')
const wide = new TextDecoder('utf-16le')

const textOf = (document: Buffer, piece: Piece): string =>
  piece.wide
    ? wide.decode(document.subarray(piece.at, piece.at + 2 * piece.characters))
    : narrow.decode(document.subarray(piece.at, piece.at + piece.characters))

const marks = { picture: '\u0001', drawing: '\u0008', field: '\u0013', result: '\u0014', fieldEnd: '\u0015' }

/** A field consists of its instruction, a separator and its result. */
const withoutInstructions = (text: string) =>
  text
    .split(marks.field)
    .map((part, index) =>
      index === 0 ? part : (part.split(marks.result, 2)[1] ?? part.split(marks.fieldEnd, 2)[1] ?? ''),
    )
    .join(' ')
