import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// A text that the database keeps and only this service can read: AES-256-GCM, as base64 of nonce, tag and body. The
// keys come from the storage (keyFor), one for every purpose, so that the database alone gives nothing away.

const nonceBytes = 12
const tagBytes = 16

/** A nonce may be used again only for the same text. */
export function sealText(key: KeyObject, text: string, from: Buffer = randomBytes(nonceBytes)): string {
  const nonce = from.subarray(0, nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Throws when the key is another than that of the sealing, or the text was changed. */
export function openSealed(key: KeyObject, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const body = bytes.subarray(nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
