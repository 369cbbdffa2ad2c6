import { wrongPassword } from './errors.ts'

// XOR obfuscation ([MS-OFFCRYPTO] 2.3.7). A password of up to 15 bytes makes a key of 16 bits, a verifier, and an array
// of 16 bytes that is repeated over the data.

const maxBytes = 15
const padding = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')

const rotateLeft = (value: number, by: number, bits: number): number =>
  ((value << by) | (value >>> (bits - by))) & (2 ** bits - 1)

/** The array, before its bytes are rotated. Throws when key and verifier are not those of the password. */
export function xorArray(password: string, expected: { key: number; verifier: number }): Buffer {
  const bytes = passwordBytes(password)
  const key = keyOf(bytes)
  if (key !== expected.key || verifierOf(bytes) !== expected.verifier) throw wrongPassword()
  const array = Buffer.concat([bytes, padding], 16)
  for (const [index, byte] of array.entries()) array[index] = byte ^ (index % 2 === 0 ? key & 0xff : key >> 8)
  return array
}

/** One byte of each character: the lower one, unless it is zero. */
const passwordBytes = (password: string): Buffer =>
  Buffer.from(
    Array.from({ length: Math.min(maxBytes, password.length) }, (_, index) => {
      const code = password.charCodeAt(index)
      return code & 0xff || code >> 8
    }),
  )

/** The bits of the password, last character first, choose from the states of a shift register; so does its length. */
function keyOf(password: Buffer): number {
  const next = (state: number): number => {
    const rotated = rotateLeft(state, 1, 16)
    return rotated & 1 ? rotated ^ 0x1020 : rotated
  }
  let [key, base, end] = [0, 0x8000, 0xffff]
  for (const byte of [...password].reverse()) {
    for (let bit = 0; bit < 7; bit += 1) {
      base = next(base)
      if ((byte >> bit) & 1) key ^= base
    }
    // The eighth bit is not used.
    base = next(base)
    for (let bit = 0; bit < 8; bit += 1) end = next(end)
  }
  return key ^ end
}

function verifierOf(password: Buffer): number {
  let verifier = password.length === 0 ? 0 : password.length ^ 0xce4b
  for (const [index, byte] of password.entries()) verifier ^= rotateLeft(byte, (index + 1) % 15, 15)
  return verifier
}

/** Workbooks: `position` is that of the first byte, counted as the format counts. In place. */
export function openWorkbookBytes(bytes: Buffer, array: Buffer, position: number): void {
  for (const [index, byte] of bytes.entries()) {
    const key = rotateLeft(array[(position + index) % 16] as number, 2, 8)
    bytes[index] = rotateLeft(byte, 3, 8) ^ key
  }
}

/** Texts: a byte that is zero, or would become zero, is left as it is. In place. */
export function openTextBytes(bytes: Buffer, array: Buffer): void {
  for (const [index, byte] of bytes.entries()) {
    const opened = byte ^ rotateLeft(array[index % 16] as number, 7, 8)
    if (byte !== 0 && opened !== 0) bytes[index] = opened
  }
}
