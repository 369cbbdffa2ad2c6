import { hash } from 'node:crypto'
import { algorithms, numberBytes, readCryptoApiHeader, sha1Of } from './crypto-api.ts'
import { unsupportedEncryption, wrongPassword } from './errors.ts'

// RC4 encryption of binary documents ([MS-OFFCRYPTO] 2.3.5, 2.3.6): a header with a salt and a verifier, and a key for
// every block of the document.

export type Cipher = (bytes: Buffer) => Buffer
export type CipherFor = (block: number) => Cipher

/** `info` begins with the version of the encryption. */
export function rc4Ciphers(info: Buffer, password: string): CipherFor {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  if (major === 1 && minor === 1) return plainCiphers(info.subarray(4), password)
  if (minor === 2 && major >= 2 && major <= 4) return cryptoApiCiphers(info.subarray(4), password)
  throw unsupportedEncryption(`version ${major}.${minor}`)
}

function cryptoApiCiphers(info: Buffer, password: string): CipherFor {
  const header = readCryptoApiHeader(info)
  if (header.algorithm !== algorithms.rc4) throw unsupportedEncryption(`algorithm ${header.algorithm}`)
  const keyBits = header.keyBits || 40
  const base = sha1Of(header.salt, Buffer.from(password, 'utf16le'))
  const cipherFor: CipherFor = (block) => {
    const key = sha1Of(base, numberBytes(block)).subarray(0, keyBits / 8)
    // Keys of 40 bits are padded with zeros.
    return rc4(keyBits === 40 ? Buffer.concat([key], 16) : key)
  }
  return verified(cipherFor, header.verifier, header.verifierHash, sha1Of)
}

const md5Of = (bytes: Buffer): Buffer => hash('md5', bytes, 'buffer')

/** 40 bits of the hash are used as the key. */
const usedBytes = 5

function plainCiphers(info: Buffer, password: string): CipherFor {
  const salt = info.subarray(0, 16)
  const start = md5Of(Buffer.from(password, 'utf16le')).subarray(0, usedBytes)
  const repeated = Array.from({ length: 16 }, () => [start, salt]).flat()
  const base = md5Of(Buffer.concat(repeated)).subarray(0, usedBytes)
  const cipherFor: CipherFor = (block) => rc4(md5Of(Buffer.concat([base, numberBytes(block)])))
  return verified(cipherFor, info.subarray(16, 32), info.subarray(32, 48), md5Of)
}

function verified(
  cipherFor: CipherFor,
  verifier: Buffer,
  expected: Buffer,
  digest: (bytes: Buffer) => Buffer,
): CipherFor {
  const cipher = cipherFor(0)
  const opened = cipher(Buffer.from(verifier))
  if (!digest(opened).equals(cipher(Buffer.from(expected)))) throw wrongPassword()
  return cipherFor
}

/** Decrypts bytes at any position of a stream, in place: each block of `blockBytes` has its own key. */
export function positionedCipher(cipherFor: CipherFor, blockBytes: number) {
  let block = -1
  let position = 0
  let cipher: Cipher = (bytes) => bytes
  const seek = (target: number) => {
    const wanted = Math.floor(target / blockBytes)
    if (wanted !== block || target < position) {
      block = wanted
      position = wanted * blockBytes
      cipher = cipherFor(wanted)
    }
    cipher(Buffer.alloc(target - position))
    position = target
  }
  return (stream: Buffer, from: number, to: number): void => {
    for (let at = from; at < to; ) {
      const end = Math.min(to, (Math.floor(at / blockBytes) + 1) * blockBytes)
      seek(at)
      cipher(stream.subarray(at, end))
      position = end
      at = end
    }
  }
}

/** RC4, which OpenSSL no longer offers, as a cipher stream: each call continues where the last one ended. Works in place. */
function rc4(key: Buffer): (bytes: Buffer) => Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number): void => {
    const kept = state[a] as number
    state[a] = state[b] as number
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      i = (i + 1) & 255
      j = (j + (state[i] as number)) & 255
      swap(i, j)
      bytes[at] =
        (bytes[at] as number) ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number)
    }
    return bytes
  }
}
