import { encodingName } from '../../catalog/encoding/encoding-names.ts'
import type { Attachment, Body } from './mail.ts'
import { rtfBody } from './rtf-body.ts'

// Exchange packs a mail's body and attachments into one attachment, winmail.dat ([MS-OXTNEF]): a list of attributes, some
// of which are lists of MAPI properties.

const signature = 0x223e9f78
const attributes = {
  body: 0x800c,
  attachmentData: 0x800f,
  attachmentTitle: 0x8010,
  /** The first attribute of each attachment. */
  attachmentStart: 0x9002,
  messageProperties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
}
const properties = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  data: 0x3701,
  name: 0x3707,
  type: 0x370e,
  id: 0x3712,
}

export interface Tnef {
  body: Body | undefined
  attachments: Attachment[]
}

export const isTnef = (bytes: Uint8Array): boolean =>
  bytes.length > 6 && Buffer.from(bytes.subarray(0, 4)).readUInt32LE(0) === signature

export async function readTnef(bytes: Uint8Array): Promise<Tnef> {
  const file = Buffer.from(bytes)
  const attachments: Attachment[] = []
  let codePage = 'windows-1252'
  let text: string | undefined
  let message: Properties = new Map()
  const textOf = (value: Buffer) => new TextDecoder(codePage).decode(value).replace(/\0[\s\S]*$/, '')
  const last = () => attachments.at(-1)
  for (const { id, data } of readAttributes(file)) {
    if (id === attributes.codePage) codePage = encodingName(`cp${data.readUInt32LE(0)}`) ?? codePage
    if (id === attributes.body) text = textOf(data)
    if (id === attributes.messageProperties) message = readProperties(data)
    if (id === attributes.attachmentStart)
      attachments.push({
        name: '',
        type: 'application/octet-stream',
        id: undefined,
        content: new Uint8Array(),
      })
    const attachment = last()
    if (attachment && id === attributes.attachmentTitle) attachment.name = textOf(data)
    if (attachment && id === attributes.attachmentData) attachment.content = data
    if (attachment && id === attributes.attachmentProperties)
      complete(attachment, readProperties(data), textOf)
  }
  return { body: await bodyOf(message, text, textOf), attachments }
}

function complete(attachment: Attachment, found: Properties, textOf: (value: Buffer) => string): void {
  const read = (id: number) => stringOf(found.get(id), textOf)
  attachment.name = read(properties.name) ?? attachment.name
  attachment.type = read(properties.type) ?? attachment.type
  attachment.id = read(properties.id)?.replace(/^<|>$/g, '')
}

async function bodyOf(
  message: Properties,
  text: string | undefined,
  textOf: (value: Buffer) => string,
): Promise<Body | undefined> {
  const html = message.get(properties.html)
  if (html) return { html: textOf(html.value) }
  const rtf = message.get(properties.rtf)
  const fromRtf = rtf && (await rtfBody(rtf.value))
  const plain = text ?? stringOf(message.get(properties.body), textOf)
  return fromRtf ?? (plain === undefined ? undefined : { text: plain })
}

function* readAttributes(file: Buffer): Generator<{ id: number; data: Buffer }> {
  // Behind the signature and a key: level, id, type, length, data, checksum.
  for (let at = 6; at + 9 <= file.length; ) {
    const length = file.readUInt32LE(at + 5)
    yield { id: file.readUInt16LE(at + 1), data: file.subarray(at + 9, at + 9 + length) }
    at += 9 + length + 2
  }
}

const types = { unicode: 0x1f, string: 0x1e, binary: 0x102, object: 0x0d, multiple: 0x1000 }
const fixedBytes: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
])

type Properties = Map<number, { type: number; value: Buffer }>

const stringOf = (
  property: { type: number; value: Buffer } | undefined,
  textOf: (value: Buffer) => string,
): string | undefined => {
  if (!property) return undefined
  return property.type === types.unicode
    ? property.value.toString('utf16le').replace(/\0[\s\S]*$/, '')
    : textOf(property.value)
}

/** Ends at the first property of an unknown type: where the next one begins is not known then. */
function readProperties(data: Buffer): Properties {
  const found: Properties = new Map()
  const count = data.readUInt32LE(0)
  let at = 4
  for (let index = 0; index < count && at + 4 <= data.length; index += 1) {
    const type = data.readUInt16LE(at) & 0x0fff
    const isMultiple = (data.readUInt16LE(at) & types.multiple) !== 0
    const id = data.readUInt16LE(at + 2)
    at += 4
    // A named property: a GUID, then a number or a name.
    if (id >= 0x8000) at = afterName(data, at)
    const fixed = fixedBytes.get(type)
    const isVariable =
      type === types.unicode || type === types.string || type === types.binary || type === types.object
    if (fixed === undefined && !isVariable) break
    const values = isMultiple || isVariable ? data.readUInt32LE(at) : 1
    if (isMultiple || isVariable) at += 4
    for (let each = 0; each < values && at < data.length; each += 1) {
      const length = fixed ?? data.readUInt32LE(at)
      if (fixed === undefined) at += 4
      if (!found.has(id)) found.set(id, { type, value: data.subarray(at, at + length) })
      at += length + ((4 - (length % 4)) % 4)
    }
  }
  return found
}

function afterName(data: Buffer, at: number): number {
  const isName = data.readUInt32LE(at + 16) === 1
  if (!isName) return at + 24
  const length = data.readUInt32LE(at + 20)
  return at + 24 + length + ((4 - (length % 4)) % 4)
}
