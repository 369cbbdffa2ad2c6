import { damagedEncryption } from './errors.ts'
import { rc4Ciphers } from './rc4-ciphers.ts'

// RC4 CryptoAPI encryption of binary presentations ([MS-PPT] 2.3.7, [MS-OFFCRYPTO] 2.3.5). Every object of the document
// is encrypted with a key of its own, made from its number in the persist directory; pictures field by field with the
// key of number 0. The directory itself and the list of edits are not encrypted.

const types = { userEdit: 0x0ff5, cryptSession: 0x2f14, pictureStore: 0xf007 }
const plainToken = 0xe391c05f
const maxEdits = 1000

/** Decrypts the streams in place. */
export function decryptPresentation(
  streams: { currentUser: Buffer; document: Buffer; pictures: Buffer | undefined },
  password: string,
): void {
  const { currentUser, document, pictures } = streams
  const objects = readObjects(document, currentUser.readUInt32LE(16))
  const session = document.subarray(objects.sessionAt)
  if (session.readUInt16LE(2) !== types.cryptSession) throw damagedEncryption('no encryption header')
  const cipherFor = rc4Ciphers(session.subarray(8, 8 + session.readUInt32LE(4)), password)
  for (const [id, at] of objects.places) {
    if (at === objects.sessionAt) continue
    const cipher = cipherFor(id)
    const head = cipher(document.subarray(at, at + 8))
    cipher(document.subarray(at + 8, at + 8 + head.readUInt32LE(4)))
  }
  if (pictures) decryptPictures(pictures, (bytes) => cipherFor(0)(bytes))
  currentUser.writeUInt32LE(plainToken, 12)
}

interface Objects {
  /** Offsets by number. */
  places: ReadonlyMap<number, number>
  sessionAt: number
}

/** Follows the edits of the presentation, the last one first. An object that was edited counts once, at its latest place. */
function readObjects(document: Buffer, lastEdit: number): Objects {
  const places = new Map<number, number>()
  let session: number | undefined
  let edit = lastEdit
  for (let count = 0; edit !== 0; count += 1) {
    if (count > maxEdits || document.readUInt16LE(edit + 2) !== types.userEdit)
      throw damagedEncryption(`edit at ${edit}`)
    readDirectory(document, document.readUInt32LE(edit + 20), places)
    if (document.readUInt32LE(edit + 4) >= 32) session ??= document.readUInt32LE(edit + 36)
    edit = document.readUInt32LE(edit + 16)
  }
  const sessionAt = places.get(session ?? -1)
  if (sessionAt === undefined) throw damagedEncryption('no encryption session')
  return { places, sessionAt }
}

function readDirectory(document: Buffer, at: number, places: Map<number, number>): void {
  const end = at + 8 + document.readUInt32LE(at + 4)
  for (let entry = at + 8; entry < end; ) {
    const head = document.readUInt32LE(entry)
    const [first, count] = [head & 0xfffff, head >>> 20]
    for (let index = 0; index < count; index += 1) {
      const place = document.readUInt32LE(entry + 4 + 4 * index)
      if (!places.has(first + index)) places.set(first + index, place)
    }
    entry += 4 + 4 * count
  }
}

// Instances of records that hold two identifiers of the picture ([MS-ODRAW] 2.2.23 to 2.2.31).
const twoIdentifiers = new Set([0x217, 0x3d5, 0x46b, 0x543, 0x6e1, 0x6e3, 0x6e5, 0x7a9])
const metafiles = new Set([0xf01a, 0xf01b, 0xf01c])
const storeEntryFields = [1, 1, 16, 2, 4, 4, 4, 1, 1, 1, 1]

function decryptPictures(pictures: Buffer, decrypt: (bytes: Buffer) => Buffer): void {
  const field = (at: number, length: number) => decrypt(pictures.subarray(at, at + length))
  for (let at = 0; at + 8 <= pictures.length; ) {
    let head = field(at, 8)
    let next = at + 8
    const end = next + head.readUInt32LE(4)
    if (head.readUInt16LE(2) === types.pictureStore) {
      for (const length of storeEntryFields) {
        field(next, length)
        next += length
      }
      const nameBytes = pictures.readUInt8(next - 3)
      if (nameBytes > 0) field(next, nameBytes)
      next += nameBytes
      if (next >= end) {
        at = end
        continue
      }
      head = field(next, 8)
      next += 8
    }
    const identifiers = twoIdentifiers.has(head.readUInt16LE(0) >>> 4) ? 2 : 1
    const tagBytes = metafiles.has(head.readUInt16LE(2)) ? 34 : 1
    for (const length of [...Array.from({ length: identifiers }, () => 16), tagBytes]) {
      field(next, length)
      next += length
    }
    field(next, Math.max(0, end - next))
    at = end
  }
}
