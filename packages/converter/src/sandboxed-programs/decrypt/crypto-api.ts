import { hash } from 'node:crypto'
import { unsupportedEncryption } from './errors.ts'

// The header that standard encryption of Office Open XML and RC4 CryptoAPI encryption of binary documents share
// ([MS-OFFCRYPTO] 2.3.2, 2.3.3). The name of the provider may be missing, and so may values that flags imply.

const flags = { external: 0x10, aes: 0x20 }
export const algorithms = { rc4: 0x6801, aes128: 0x660e, aes192: 0x660f, aes256: 0x6610 }
const sha1 = 0x8004

export interface CryptoApiHeader {
  algorithm: number
  /** 0: the default of the algorithm. */
  keyBits: number
  salt: Buffer
  verifier: Buffer
  verifierHash: Buffer
}

/** Reads the header that follows the version numbers. */
export function readCryptoApiHeader(info: Buffer): CryptoApiHeader {
  const headerFlags = info.readUInt32LE(0)
  const headerSize = info.readUInt32LE(4)
  const header = info.subarray(8, 8 + headerSize)
  if ((headerFlags & flags.external) !== 0) throw unsupportedEncryption('an external provider')
  const isAes = (headerFlags & flags.aes) !== 0
  const hashAlgorithm = header.readUInt32LE(12)
  if (hashAlgorithm !== 0 && hashAlgorithm !== sha1) throw unsupportedEncryption(`hash ${hashAlgorithm}`)
  const verifier = info.subarray(8 + headerSize)
  const saltBytes = verifier.readUInt32LE(0)
  if (saltBytes !== 16) throw unsupportedEncryption(`salt of ${saltBytes} bytes`)
  return {
    algorithm: header.readUInt32LE(8) || (isAes ? algorithms.aes128 : algorithms.rc4),
    keyBits: header.readUInt32LE(16),
    salt: verifier.subarray(4, 20),
    verifier: verifier.subarray(20, 36),
    // The size of the hash, 4 bytes, comes before it. AES pads it to 32 bytes.
    verifierHash: verifier.subarray(40, 40 + (isAes ? 32 : 20)),
  }
}

export const sha1Of = (...parts: readonly Buffer[]): Buffer => hash('sha1', Buffer.concat(parts), 'buffer')

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
