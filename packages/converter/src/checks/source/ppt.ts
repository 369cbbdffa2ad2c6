import type { OleStream } from '../../catalog/file-types/ole.ts'
import type { Content } from './content.ts'

// The slides of a ppt file. [MS-PPT]: a stream of records, some of which contain others. A file that was saved
// incrementally keeps earlier versions of its slides, so slides are located as PowerPoint does it: from the last edit
// to the persist directory, from there to the document, and from its slide list to each slide.

const maxBytes = 8 * 1024 * 1024
const maxEdits = 100
const maxDepth = 20
const pictureNumber = 0x4104

const types = {
  slideEntry: 1011,
  slideShow: 1017,
  textWide: 4000,
  textNarrow: 4008,
  slideList: 4080,
  edit: 4085,
  drawnOptions: 0xf00b,
}

interface Part {
  type: number
  instance: number
  holdsOthers: boolean
  body: Buffer
}

export async function readPpt(streams: ReadonlyMap<string, OleStream>): Promise<Content> {
  const stream = await streams.get('PowerPoint Document')?.start(maxBytes)
  const user = await streams.get('Current User')?.start(20)
  if (!stream || !user || user.length < 20) return { text: '' }
  const { places, document, isDamaged } = readEdits(stream, user.readUInt32LE(16))
  const list = [...recordsIn(recordAt(stream, places.get(document)))].filter(
    ({ type, instance }) => type === types.slideList && instance === 0,
  )
  const entries = list.flatMap((record) => [...recordsIn(record)])
  const slides = entries
    .filter(({ type, body }) => type === types.slideEntry && body.length >= 4)
    .map(({ body }) => recordAt(stream, places.get(body.readUInt32LE(0))))
  const all = [...list, ...slides].flatMap((record) => [...everythingIn(record)])
  return {
    text: all.map(textOf).join(' '),
    pictures: all.some(showsPicture),
    mayBeHidden: all.some(({ type, body }) => type === types.slideShow && ((body[10] ?? 0) & 4) !== 0),
    isDamaged,
  }
}

interface Edits {
  /** Offset of each persist object, by its id. */
  places: Map<number, number>
  /** Its number. */
  document: number
  /** An edit refers to a previous one at a later offset. */
  isDamaged: boolean
}

function readEdits(stream: Buffer, last: number): Edits {
  const places = new Map<number, number>()
  let document = 0
  let isDamaged = false
  let at = last
  for (let count = 0; count < maxEdits && at !== 0 && !isDamaged; count += 1) {
    const edit = recordAt(stream, at)
    if (edit?.type !== types.edit || edit.body.length < 20) break
    document ||= edit.body.readUInt32LE(16)
    const { body } = recordAt(stream, edit.body.readUInt32LE(12)) ?? { body: Buffer.alloc(0) }
    for (let entry = 0; entry + 4 <= body.length; ) {
      const head = body.readUInt32LE(entry)
      const parts = head >>> 20
      for (let part = 0; part < parts && entry + 8 + 4 * part <= body.length; part += 1) {
        const number = (head & 0xfffff) + part
        // The newest edit comes first, and counts.
        if (!places.has(number)) places.set(number, body.readUInt32LE(entry + 4 + 4 * part))
      }
      entry += 4 + 4 * parts
    }
    const before = edit.body.readUInt32LE(8)
    isDamaged = before >= at
    at = before
  }
  return { places, document, isDamaged }
}

const headBytes = 8

function recordAt(stream: Buffer, at: number | undefined): Part | undefined {
  if (at === undefined || at + headBytes > stream.length) return undefined
  const length = stream.readUInt32LE(at + 4)
  return {
    type: stream.readUInt16LE(at + 2),
    instance: stream.readUInt16LE(at) >>> 4,
    holdsOthers: (stream.readUInt16LE(at) & 0xf) === 0xf,
    body: stream.subarray(at + headBytes, at + headBytes + length),
  }
}

function* recordsIn(holder: Part | undefined): Generator<Part> {
  if (!holder) return
  for (let at = 0; ; ) {
    const record = recordAt(holder.body, at)
    if (!record) return
    yield record
    at += headBytes + record.body.length
  }
}

function* everythingIn(holder: Part | undefined, depth = 0): Generator<Part> {
  for (const record of recordsIn(holder)) {
    yield record
    if (record.holdsOthers && depth < maxDepth) yield* everythingIn(record, depth + 1)
  }
}

function textOf({ type, body }: Part): string {
  if (type === types.textWide) return body.toString('utf16le')
  return type === types.textNarrow ? body.toString('latin1') : ''
}

/** One of the shape's properties is the number of a picture in the file. */
function showsPicture({ type, instance, body }: Part): boolean {
  if (type !== types.drawnOptions) return false
  for (let property = 0; property < instance && 6 * property + 6 <= body.length; property += 1) {
    if (body.readUInt16LE(6 * property) === pictureNumber && body.readUInt32LE(6 * property + 2) > 0)
      return true
  }
  return false
}
