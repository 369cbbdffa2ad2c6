import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// An API key is `kiln_live_`, 32 random base62 characters (190 bits) and a checksum of 6 characters. The fixed prefix
// lets secret scanners find keys. The checksum distinguishes a mistyped key from a revoked one without a database
// query. Only the SHA-256 of a key is stored: the key is random, so a slow hash would add nothing.

const prefix = 'kiln_live_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^kiln_live_[0-9A-Za-z]{38}$/

export function makeKey(): string {
  const body = prefix + Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return body + checksum(body)
}

export function isWellFormedKey(key: string): boolean {
  return shape.test(key) && key.slice(-6) === checksum(key.slice(0, -6))
}

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** The part of a key that may be shown after it was created. */
export const hintOfKey = (key: string): string => `${prefix}…${key.slice(-4)}`

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let digit = 0; digit < 6; digit++) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
