import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// Text that is stored in the database encrypted: AES-256-GCM, as base64 of nonce, tag and ciphertext. The keys come
// from the storage (keyFor), one for every purpose, so that the database alone reveals nothing.

const nonceBytes = 12
const tagBytes = 16

/** A nonce may be reused only for the same text. */
export function sealText(key: KeyObject, text: string, from: Buffer = randomBytes(nonceBytes)): string {
  const nonce = from.subarray(0, nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Throws when the key differs from that of `sealText`, or the text was changed. */
export function openSealed(key: KeyObject, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const body = bytes.subarray(nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
