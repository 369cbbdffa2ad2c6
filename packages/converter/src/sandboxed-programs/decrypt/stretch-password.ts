import { hash } from 'node:crypto'

/** Hashes the password many times, so that trying all passwords takes long ([MS-OFFCRYPTO] 2.3.4.7, 2.3.4.11). */
export function stretchPassword(
  password: string,
  salt: Buffer,
  algorithm: string,
  spinCount: number,
): Buffer {
  const first = hash(algorithm, Buffer.concat([salt, Buffer.from(password, 'utf16le')]), 'buffer')
  const block = Buffer.concat([Buffer.alloc(4), first])
  for (let index = 0; index < spinCount; index += 1) {
    block.writeUInt32LE(index)
    hash(algorithm, block, 'buffer').copy(block, 4)
  }
  return block.subarray(4)
}

export function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
