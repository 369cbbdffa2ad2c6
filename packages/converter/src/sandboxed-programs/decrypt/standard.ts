import { createDecipheriv } from 'node:crypto'
import { algorithms, numberBytes, readCryptoApiHeader, sha1Of, stretchPassword } from './crypto-api.ts'
import { unsupportedEncryption, wrongPassword } from './errors.ts'

// Standard encryption of Office Open XML ([MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9): AES in ECB mode, a key from 50,000 rounds
// of SHA-1.

const spinCount = 50_000
const keyBitsOf = new Map([
  [algorithms.aes128, 128],
  [algorithms.aes192, 192],
  [algorithms.aes256, 256],
])

export function decryptStandard(info: Buffer, encrypted: Buffer, password: string): Buffer {
  const header = readCryptoApiHeader(info)
  const keyBits = keyBitsOf.get(header.algorithm)
  if (keyBits === undefined) throw unsupportedEncryption(`algorithm ${header.algorithm}`)
  const key = deriveKey(password, header.salt).subarray(0, keyBits / 8)
  const decrypt = (bytes: Buffer): Buffer => {
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 16))
    const decryption = createDecipheriv(`aes-${keyBits}-ecb`, key, null).setAutoPadding(false)
    return Buffer.concat([decryption.update(whole), decryption.final()])
  }
  const isRight = sha1Of(decrypt(header.verifier)).equals(decrypt(header.verifierHash).subarray(0, 20))
  if (!isRight) throw wrongPassword()
  const size = Number(encrypted.readBigUInt64LE(0))
  return decrypt(encrypted.subarray(8)).subarray(0, size)
}

function deriveKey(password: string, salt: Buffer): Buffer {
  const final = sha1Of(stretchPassword(password, salt, 'sha1', spinCount), numberBytes(0))
  return Buffer.concat([0x36, 0x5c].map((pad) => sha1Of(exclusiveOr(Buffer.alloc(64, pad), final))))
}

function exclusiveOr(target: Buffer, bytes: Buffer): Buffer {
  for (const [index, byte] of bytes.entries()) target[index] = (target[index] ?? 0) ^ byte
  return target
}
