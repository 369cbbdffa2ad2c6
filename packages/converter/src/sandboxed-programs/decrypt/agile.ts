import { createDecipheriv, getHashes, hash } from 'node:crypto'
import { SaxesParser } from 'saxes'
import { numberBytes, stretchPassword } from './crypto-api.ts'
import { unsupportedEncryption, wrongPassword } from './errors.ts'

// Agile encryption of Office Open XML ([MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15): an XML document names the algorithms and
// holds the package's key, encrypted with a key that is derived from the password.

interface Algorithm {
  hash: string
  hashSize: number
  salt: Buffer
  blockSize: number
  keyBytes: number
  cipher: string
}

interface PasswordKey extends Algorithm {
  spinCount: number
  verifierInput: Buffer
  verifierHash: Buffer
  key: Buffer
}

const blockKeys = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
}
const segmentBytes = 4096
/** The largest that the specification allows. */
const maxSpinCount = 10_000_000

export function decryptAgile(info: Buffer, encrypted: Buffer, password: string): Buffer {
  const { data, passwordKey } = readDescriptor(info.toString('utf8'))
  const { salt, hash: algorithm, spinCount } = passwordKey
  const derived = stretchPassword(password, salt, algorithm, spinCount)
  const opened = (block: Buffer, value: Buffer) =>
    decipher(passwordKey, keyOf(passwordKey, derived, block), ivOf(passwordKey, salt), value)
  const input = opened(blockKeys.verifierInput, passwordKey.verifierInput)
  const expected = opened(blockKeys.verifierHash, passwordKey.verifierHash).subarray(0, passwordKey.hashSize)
  if (!digest(algorithm, input.subarray(0, salt.length)).equals(expected)) throw wrongPassword()
  const key = opened(blockKeys.key, passwordKey.key).subarray(0, data.keyBytes)
  const size = Number(encrypted.readBigUInt64LE(0))
  const segments: Buffer[] = []
  for (let at = 8, index = 0; at < encrypted.length; at += segmentBytes, index += 1) {
    const segment = encrypted.subarray(at, at + segmentBytes)
    const whole = segment.subarray(0, segment.length - (segment.length % data.blockSize))
    const iv = ivOf(data, digest(data.hash, Buffer.concat([data.salt, numberBytes(index)])))
    segments.push(decipher(data, key, iv, whole))
  }
  return Buffer.concat(segments).subarray(0, size)
}

function readDescriptor(xml: string): { data: Algorithm; passwordKey: PasswordKey } {
  let data: Algorithm | undefined
  let passwordKey: PasswordKey | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const text = (name: string) => attributes[name]?.value ?? ''
    if (local === 'keyData') data = algorithmOf(text)
    if (local === 'encryptedKey' && uri.endsWith('/keyEncryptor/password')) passwordKey = passwordKeyOf(text)
  })
  parser.write(xml).close()
  if (!data || !passwordKey) throw unsupportedEncryption('no key for a password')
  return { data, passwordKey }
}

type Text = (name: string) => string

function algorithmOf(text: Text): Algorithm {
  const hashName = text('hashAlgorithm').toLowerCase().replace('-', '')
  const keyBits = Number(text('keyBits'))
  const chaining = { ChainingModeCBC: 'cbc', ChainingModeCFB: 'cfb' }[text('cipherChaining')]
  const cipher = { AES: `aes-${keyBits}-${chaining}`, '3DES': `des-ede3-${chaining}` }[
    text('cipherAlgorithm')
  ]
  if (!getHashes().includes(hashName) || cipher === undefined || chaining === undefined)
    throw unsupportedEncryption(`${hashName} ${text('cipherAlgorithm')} ${text('cipherChaining')}`)
  return {
    hash: hashName,
    hashSize: Number(text('hashSize')),
    salt: Buffer.from(text('saltValue'), 'base64'),
    blockSize: Number(text('blockSize')),
    keyBytes: keyBits / 8,
    cipher,
  }
}

function passwordKeyOf(text: Text): PasswordKey {
  const spinCount = Number(text('spinCount'))
  if (!(spinCount <= maxSpinCount)) throw unsupportedEncryption(`spin count ${spinCount}`)
  return {
    ...algorithmOf(text),
    spinCount,
    verifierInput: Buffer.from(text('encryptedVerifierHashInput'), 'base64'),
    verifierHash: Buffer.from(text('encryptedVerifierHashValue'), 'base64'),
    key: Buffer.from(text('encryptedKeyValue'), 'base64'),
  }
}

const digest = (name: string, bytes: Buffer): Buffer => hash(name, bytes, 'buffer')

/** Truncated, or padded with 0x36. */
const sized = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(0, length)

const keyOf = ({ hash: name, keyBytes }: Algorithm, derived: Buffer, block: Buffer): Buffer =>
  sized(digest(name, Buffer.concat([derived, block])), keyBytes)

const ivOf = ({ blockSize }: Algorithm, bytes: Buffer): Buffer => sized(bytes, blockSize)

function decipher({ cipher }: Algorithm, key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  const decryption = createDecipheriv(cipher, key, iv).setAutoPadding(false)
  return Buffer.concat([decryption.update(bytes), decryption.final()])
}
