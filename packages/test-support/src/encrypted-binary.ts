import { hash } from 'node:crypto'
import { compoundFile, type Storage } from './compound-file.ts'
import { rc4 } from './rc4.ts'

// Binary texts and workbooks as Word and Excel 97 to 2003 encrypt them, written from [MS-DOC], [MS-XLS] and
// [MS-OFFCRYPTO].

export type BinaryKind = 'xor' | 'rc4' | 'crypto-api' | 'unknown'

const salt = Buffer.from('0f0e0d0c0b0a09080706050403020100', 'hex')
const verifier = Buffer.from('a verifier of 16')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const md5 = (...parts: readonly Buffer[]) => hash('md5', Buffer.concat(parts), 'buffer')
const sha1 = (...parts: readonly Buffer[]) => hash('sha1', Buffer.concat(parts), 'buffer')

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}

interface Encryption {
  info: Buffer
  keyOf: (block: number) => Buffer
}

function encryptionOf(kind: Exclude<BinaryKind, 'xor'>, password: string): Encryption {
  if (kind !== 'crypto-api') {
    const start = md5(utf16(password)).subarray(0, 5)
    const base = md5(...Array.from({ length: 16 }, () => [start, salt]).flat()).subarray(0, 5)
    const keyOf = (block: number) => md5(base, uint32(block))
    const secret = rc4(keyOf(0), Buffer.concat([verifier, md5(verifier)]))
    const version = Buffer.from(kind === 'unknown' ? '09000900' : '01000100', 'hex')
    return { keyOf, info: Buffer.concat([version, salt, secret]) }
  }
  const base = sha1(salt, utf16(password))
  const keyOf = (block: number) => sha1(base, uint32(block)).subarray(0, 16)
  const secret = rc4(keyOf(0), Buffer.concat([verifier, sha1(verifier)]))
  const name = utf16('Microsoft Strong Cryptographic Provider\0')
  const header = Buffer.concat([uint32(4, 0, 0x6801, 0x8004, 128, 1, 0, 0), name])
  const info = [
    Buffer.from('02000200', 'hex'),
    uint32(4, header.length),
    header,
    uint32(16),
    salt,
    secret.subarray(0, 16),
    uint32(20),
    secret.subarray(16),
  ]
  return { keyOf, info: Buffer.concat(info) }
}

/** The whole stream, each block with its own key. */
const encryptBlocks = (stream: Buffer, keyOf: (block: number) => Buffer, bytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(stream.length / bytes) }, (_, block) =>
      rc4(keyOf(block), stream.subarray(block * bytes, (block + 1) * bytes)),
    ),
  )

/** Key and verifier of this password as Excel writes them; another one has others. */
export const xorPassword = 'abc'
const xor = { key: 0x514a, verifier: 0xcc1a }
const xorArray = Buffer.concat(
  [Buffer.from(xorPassword), Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')],
  16,
).map((byte, index) => byte ^ (index % 2 === 0 ? xor.key & 0xff : xor.key >> 8))

const rotate = (byte: number, left: number) => ((byte << left) | (byte >> (8 - left))) & 0xff

/** `streams` are those of a plain document. Its stream of tables begins with as many bytes that no table uses as the header has. */
export function encryptWord(streams: Storage, password: string, kind: BinaryKind): Buffer {
  const text = Buffer.from(streams.WordDocument as Buffer)
  const start = Buffer.from(text.subarray(0, 68))
  start.writeUInt16LE(start.readUInt16LE(10) | 0x0100 | (kind === 'xor' ? 0x8000 : 0), 10)
  const tableName = start.readUInt16LE(10) & 0x0200 ? '1Table' : '0Table'
  if (kind === 'xor') {
    start.writeUInt32LE(xor.key * 0x10000 + xor.verifier, 14)
    const obfuscate = (bytes: Buffer) =>
      Buffer.from(
        bytes.map((byte, index) => {
          const made = byte ^ rotate(xorArray[index % 16] as number, 7)
          return byte === 0 || made === 0 ? byte : made
        }),
      )
    const body = obfuscate(text)
    start.copy(body)
    return compoundFile({ WordDocument: body, [tableName]: obfuscate(streams[tableName] as Buffer) })
  }
  const { info, keyOf } = encryptionOf(kind, password)
  start.writeUInt32LE(info.length, 14)
  const table = Buffer.concat([info, (streams[tableName] as Buffer).subarray(info.length)])
  const encryptedTable = encryptBlocks(table, keyOf, 512)
  info.copy(encryptedTable)
  const body = encryptBlocks(text, keyOf, 512)
  start.copy(body)
  return compoundFile({ WordDocument: body, [tableName]: encryptedTable })
}

const plainRecords = new Set([0x0809, 0x002f, 0x00e1])

/** `workbook` is the stream of a plain one. */
export function encryptWorkbook(workbook: Buffer, password: string, kind: BinaryKind): Buffer {
  const encryption = kind === 'xor' ? undefined : encryptionOf(kind, password)
  const values = Buffer.alloc(6)
  values.writeUInt16LE(xor.key, 2)
  values.writeUInt16LE(xor.verifier, 4)
  const info = encryption ? Buffer.concat([Buffer.from('0100', 'hex'), encryption.info]) : values
  const firstEnd = 4 + workbook.readUInt16LE(2)
  const head = Buffer.alloc(4)
  head.writeUInt16LE(0x2f, 0)
  head.writeUInt16LE(info.length, 2)
  const plain = Buffer.concat([workbook.subarray(0, firstEnd), head, info, workbook.subarray(firstEnd)])
  const result = Buffer.from(plain)
  const whole = encryption ? encryptBlocks(plain, encryption.keyOf, 1024) : undefined
  for (let at = 0; at + 4 <= plain.length; ) {
    const [type, length] = [plain.readUInt16LE(at), plain.readUInt16LE(at + 2)]
    const [from, to] = [at + 4, at + 4 + length]
    if (type === 0x85) result.writeUInt32LE(plain.readUInt32LE(from) + head.length + info.length, from)
    for (let i = from + (type === 0x85 ? 4 : 0); i < to && !plainRecords.has(type); i += 1) {
      const key = rotate(xorArray[(to + i - from) % 16] as number, 2)
      result[i] = whole ? (whole[i] as number) : rotate((plain[i] as number) ^ key, 5)
    }
    at = to
  }
  return compoundFile({ Workbook: result })
}
