import { damagedEncryption } from './errors.ts'
import { positionedCipher, rc4Ciphers } from './rc4-ciphers.ts'
import { openTextBytes, xorArray } from './xor.ts'

// Binary documents since Word 97 ([MS-DOC] 2.2.6): the text, table and data streams are encrypted, except for the
// beginning of the first two. The file information block contains the parameters.

/** The file information block up to here is not encrypted. */
const plainBytes = 68
const blockBytes = 512
const flagsAt = 10
const keyAt = 14
const wordFlags = { encrypted: 0x0100, secondTable: 0x0200, obfuscated: 0x8000 }

export interface WordStreams {
  text: Buffer
  table: Buffer
  data: Buffer | undefined
}

/** Which of two streams holds the tables. */
export const tableName = (text: Buffer): string =>
  text.readUInt16LE(flagsAt) & wordFlags.secondTable ? '1Table' : '0Table'

/** Decrypts the streams in place. */
export function decryptWord({ text, table, data }: WordStreams, password: string): void {
  const flags = text.readUInt16LE(flagsAt)
  const start = Buffer.from(text.subarray(0, plainBytes))
  if (flags & wordFlags.obfuscated) {
    const array = xorArray(password, {
      verifier: text.readUInt16LE(keyAt),
      key: text.readUInt16LE(keyAt + 2),
    })
    for (const stream of [text, table, ...(data ? [data] : [])]) openTextBytes(stream, array)
  } else {
    const headerBytes = text.readUInt32LE(keyAt)
    if (headerBytes > table.length) throw damagedEncryption('header outside of its stream')
    const ciphers = rc4Ciphers(table.subarray(0, headerBytes), password)
    positionedCipher(ciphers, blockBytes)(text, plainBytes, text.length)
    positionedCipher(ciphers, blockBytes)(table, headerBytes, table.length)
    if (data) positionedCipher(ciphers, blockBytes)(data, 0, data.length)
  }
  start.copy(text)
  text.writeUInt16LE(flags & ~(wordFlags.encrypted | wordFlags.obfuscated), flagsAt)
  text.writeUInt32LE(0, keyAt)
}
