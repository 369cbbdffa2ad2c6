import { damagedEncryption, unsupportedEncryption } from './errors.ts'
import { positionedCipher, rc4Ciphers } from './rc4-ciphers.ts'
import { openWorkbookBytes, xorArray } from './xor.ts'

// Binary workbooks ([MS-XLS] 2.2.10): the content of every record is encrypted, its type and length are not. A record
// near the beginning contains the parameters.

const records = {
  filePass: 0x002f,
  sheet: 0x0085,
  /** Records that are not encrypted: BOF, the interface header, locks of shared workbooks. */
  plain: new Set([0x0009, 0x0209, 0x0409, 0x0809, 0x002f, 0x00e1, 0x0138, 0x0194, 0x0195, 0x0196]),
  /** A number that no record has: readers pass over it. */
  unknown: 0x7fff,
}
const blockBytes = 1024
const kinds = { xor: 0, rc4: 1 }

interface Span {
  from: number
  to: number
  /** Bytes of the record before the span. */
  skipped: number
}

/** Decrypts the stream in place. */
export function decryptWorkbook(stream: Buffer, password: string): void {
  const spans: Span[] = []
  let filePassAt: number | undefined
  for (let at = 0; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at)
    const from = at + 4
    const to = from + stream.readUInt16LE(at + 2)
    if (type === records.filePass) filePassAt = at
    // Where a sheet begins in the stream is not encrypted.
    const isEncrypted = filePassAt !== undefined && !records.plain.has(type)
    const skipped = type === records.sheet ? 4 : 0
    if (isEncrypted) spans.push({ from: from + skipped, to, skipped })
    at = to
  }
  if (filePassAt === undefined) throw damagedEncryption('no encryption record')
  const info = stream.subarray(filePassAt + 4, filePassAt + 4 + stream.readUInt16LE(filePassAt + 2))
  const open = opener(stream, info, password)
  for (const span of spans) if (span.from < span.to && span.to <= stream.length) open(span)
  stream.writeUInt16LE(records.unknown, filePassAt)
}

function opener(stream: Buffer, info: Buffer, password: string): (span: Span) => void {
  // Before Excel 97 there was only one kind, and no number for it.
  const kind = info.length === 4 ? kinds.xor : info.readUInt16LE(0)
  if (kind === kinds.xor) {
    const values = info.subarray(-4)
    const array = xorArray(password, { key: values.readUInt16LE(0), verifier: values.readUInt16LE(2) })
    // The place in the array is counted from the end of the record.
    return ({ from, to, skipped }) => openWorkbookBytes(stream.subarray(from, to), array, to + skipped)
  }
  if (kind !== kinds.rc4) throw unsupportedEncryption(`kind ${kind}`)
  const decrypt = positionedCipher(rc4Ciphers(info.subarray(2), password), blockBytes)
  return ({ from, to }) => decrypt(stream, from, to)
}
