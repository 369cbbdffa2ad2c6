import { createCipheriv, hash } from 'node:crypto'
import { compoundFile } from './compound-file.ts'

// Office Open XML as Office encrypts it, written from [MS-OFFCRYPTO]: a package inside a compound file.

const digest = (name: string, ...parts: readonly Buffer[]) => hash(name, Buffer.concat(parts), 'buffer')
const unicode = (text: string) => Buffer.from(text, 'utf16le')
const uint32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}
const version = (major: number, minor: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16LE(major, 0)
  bytes.writeUInt16LE(minor, 2)
  return bytes
}
const padded = (bytes: Buffer, block: number, fill = 0) =>
  Buffer.concat([bytes, Buffer.alloc((block - (bytes.length % block)) % block, fill)])
const encipher = (cipher: string, key: Buffer, iv: Buffer | null, bytes: Buffer) => {
  const encryption = createCipheriv(cipher, key, iv).setAutoPadding(false)
  return Buffer.concat([encryption.update(bytes), encryption.final()])
}
const spun = new Map<string, Buffer>()
/** Memoized: 50,000 rounds take a second. */
const spin = (name: string, password: string, salt: Buffer, count: number): Buffer => {
  const id = `${name} ${count} ${password}`
  let value = spun.get(id) ?? digest(name, salt, unicode(password))
  for (let index = 0; index < count && !spun.has(id); index += 1) value = digest(name, uint32(index), value)
  spun.set(id, value)
  return value
}
const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const sizeOf = (bytes: Buffer) => uint32(bytes.length, 0)

const inContainer = (info: Buffer, encrypted: Buffer) =>
  compoundFile({ EncryptionInfo: info, EncryptedPackage: encrypted })

export interface StandardKind {
  keyBits: 128 | 192 | 256
  /** Major version: 2 is Office 2007 before a service pack, 3 after it, 4 later ones. */
  major: 2 | 3 | 4
  provider: string | undefined
  /** Leave it to the flags which algorithm is meant. */
  isImplied?: true
}

const aesIds = { 128: 0x660e, 192: 0x660f, 256: 0x6610 }
const [flagCryptoApi, flagAes, sha1Id, providerAes] = [0x04, 0x20, 0x8004, 0x18]

export function encryptStandard(document: Buffer, password: string, kind: StandardKind): Buffer {
  const { keyBits, major, provider, isImplied } = kind
  const final = digest('sha1', spin('sha1', password, salt, 50_000), uint32(0))
  const key = Buffer.concat(
    [0x36, 0x5c].map((pad) =>
      digest('sha1', Buffer.from(Buffer.alloc(64, pad).map((byte, at) => byte ^ (final[at] ?? 0)))),
    ),
  ).subarray(0, keyBits / 8)
  const encrypt = (bytes: Buffer) => encipher(`aes-${keyBits}-ecb`, key, null, padded(bytes, 16))
  const flags = flagCryptoApi | flagAes
  const ids = isImplied ? [0, 0, 0] : [aesIds[keyBits], sha1Id, keyBits]
  const header = Buffer.concat([
    uint32(flags, 0, ...ids, providerAes, 0, 0),
    provider === undefined ? Buffer.alloc(0) : unicode(`${provider}\0`),
  ])
  const verifier = Buffer.from('a verifier of 16')
  const info = [version(major, 2), uint32(flags, header.length), header, uint32(16), salt]
  const verifiers = [encrypt(verifier), uint32(20), encrypt(digest('sha1', verifier))]
  return inContainer(
    Buffer.concat([...info, ...verifiers]),
    Buffer.concat([sizeOf(document), encrypt(document)]),
  )
}

export interface AgileKind {
  hash: 'SHA1' | 'SHA256' | 'SHA384' | 'SHA512'
  cipher: 'AES' | '3DES'
  keyBits: 128 | 192 | 256
  chaining: 'ChainingModeCBC' | 'ChainingModeCFB'
}

export function encryptAgile(document: Buffer, password: string, kind: AgileKind): Buffer {
  const { keyBits, chaining } = kind
  const name = kind.hash.toLowerCase()
  const mode = chaining === 'ChainingModeCBC' ? 'cbc' : 'cfb'
  const cipher = kind.cipher === 'AES' ? `aes-${keyBits}-${mode}` : `des-ede3-${mode}`
  const blockSize = kind.cipher === 'AES' ? 16 : 8
  const sized = (bytes: Buffer, length: number) =>
    Buffer.concat([bytes, Buffer.alloc(64, 0x36)]).subarray(0, length)
  const derived = spin(name, password, salt, 1000)
  const under = (block: string, bytes: Buffer) =>
    encipher(
      cipher,
      sized(digest(name, derived, Buffer.from(block, 'hex')), keyBits / 8),
      sized(salt, blockSize),
      padded(bytes, blockSize),
    ).toString('base64')
  const key = Buffer.alloc(keyBits / 8, 0x5a)
  const verifier = Buffer.from('a verifier of 16')
  const size = digest(name, verifier).length
  const attributes =
    `saltSize="16" blockSize="${blockSize}" keyBits="${keyBits}" hashSize="${size}" cipherAlgorithm="${kind.cipher}" ` +
    `cipherChaining="${chaining}" hashAlgorithm="${kind.hash}" saltValue="${salt.toString('base64')}"`
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?><encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" ` +
    `xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${attributes}/><keyEncryptors>` +
    `<keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="1000" ` +
    `${attributes} encryptedVerifierHashInput="${under('fea7d2763b4b9e79', verifier)}" ` +
    `encryptedVerifierHashValue="${under('d7aa0f6d3061344e', digest(name, verifier))}" ` +
    `encryptedKeyValue="${under('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const segments: Buffer[] = []
  for (let at = 0; at < document.length; at += 4096) {
    const iv = sized(digest(name, salt, uint32(at / 4096)), blockSize)
    segments.push(encipher(cipher, key, iv, padded(document.subarray(at, at + 4096), blockSize)))
  }
  return inContainer(
    Buffer.concat([version(4, 4), uint32(0x40), Buffer.from(xml)]),
    Buffer.concat([sizeOf(document), ...segments]),
  )
}

/** Extensible encryption: only a provider that a company has installed can decrypt it. */
export const encryptExtensible = (document: Buffer): Buffer =>
  inContainer(
    Buffer.concat([version(4, 3), uint32(0x10), Buffer.alloc(64)]),
    Buffer.concat([sizeOf(document), document]),
  )
