import { hash } from 'node:crypto'
import { compoundFile } from './compound-file.ts'
import { rc4 } from './rc4.ts'

// A binary presentation as PowerPoint 97 to 2003 encrypts it (RC4 CryptoAPI), written from [MS-PPT] and [MS-OFFCRYPTO].

const sha1 = (...parts: readonly Buffer[]) => hash('sha1', Buffer.concat(parts), 'buffer')
const uint32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}

export interface PresentationStreams {
  document: Buffer
  currentUser: Buffer
  pictures?: Buffer | undefined
}

const salt = Buffer.from('0f0e0d0c0b0a09080706050403020100', 'hex')

/** Streams of a presentation with one edit, such as LibreOffice writes. */
export function encryptPresentation(
  { document, currentUser, pictures }: PresentationStreams,
  password: string,
  { keyBits, provider }: { keyBits: 40 | 56 | 128; provider: string | undefined },
): Buffer {
  const base = sha1(salt, Buffer.from(password, 'utf16le'))
  const keyOf = (block: number) => {
    const key = sha1(base, uint32(block)).subarray(0, keyBits / 8)
    return keyBits === 40 ? Buffer.concat([key], 16) : key
  }
  const verifier = Buffer.from('a verifier of 16')
  const secret = rc4(keyOf(0), Buffer.concat([verifier, sha1(verifier)]))
  const name = provider === undefined ? Buffer.alloc(0) : Buffer.from(`${provider}\0`, 'utf16le')
  const header = Buffer.concat([uint32(4, 0, 0x6801, 0x8004, keyBits === 40 ? 0 : keyBits, 1, 0, 0), name])
  const info = Buffer.concat([
    Buffer.from('02000200', 'hex'),
    uint32(4, header.length),
    header,
    uint32(16),
    salt,
    secret.subarray(0, 16),
    uint32(20),
    secret.subarray(16),
  ])
  const record = (type: number, version: number, data: Buffer) =>
    Buffer.concat([Buffer.from([version, 0, type & 255, type >> 8]), uint32(data.length), data])

  const edit = currentUser.readUInt32LE(16)
  const directory = document.readUInt32LE(edit + 20)
  const end = directory + 8 + document.readUInt32LE(directory + 4)
  const places: number[] = []
  for (let at = directory + 8; at < end; ) {
    const head = document.readUInt32LE(at)
    for (let index = 0; index < head >>> 20; index += 1)
      places[(head & 0xfffff) + index] = document.readUInt32LE(at + 4 + 4 * index)
    at += 4 + 4 * (head >>> 20)
  }
  const body = Buffer.from(document)
  for (const [id, at] of places.entries()) {
    if (at === undefined) continue
    const length = 8 + document.readUInt32LE(at + 4)
    rc4(keyOf(id), document.subarray(at, at + length)).copy(body, at)
  }
  const sessionId = places.length
  const session = record(0x2f14, 0x0f, info)
  const entries = [...places.slice(1), body.length]
  const newDirectory = record(0x1772, 0, uint32(((entries.length << 20) | 1) >>> 0, ...entries))
  const oldEdit = document.subarray(edit + 8, edit + 36)
  const newEdit = Buffer.concat([oldEdit, uint32(sessionId)])
  newEdit.writeUInt32LE(0, 8)
  newEdit.writeUInt32LE(body.length + session.length, 12)
  const user = Buffer.from(currentUser)
  user.writeUInt32LE(0xf3d1c4df, 12)
  user.writeUInt32LE(body.length + session.length + newDirectory.length, 16)
  return compoundFile({
    'Current User': user,
    EncryptedSummary: Buffer.from('nothing that is read'),
    'PowerPoint Document': Buffer.concat([body, session, newDirectory, record(0x0ff5, 0, newEdit)]),
    ...(pictures ? { Pictures: encryptPictures(pictures, keyOf(0)) } : {}),
  })
}

/** Bitmaps with one identifier: a header, the identifier, a tag and the data, each with the cipher from its start. */
function encryptPictures(pictures: Buffer, key: Buffer): Buffer {
  const result = Buffer.from(pictures)
  for (let at = 0; at + 8 <= pictures.length; ) {
    const length = pictures.readUInt32LE(at + 4)
    let from = at
    for (const part of [8, 16, 1, length - 17]) {
      rc4(key, pictures.subarray(from, from + part)).copy(result, from)
      from += part
    }
    at += 8 + length
  }
  return result
}
