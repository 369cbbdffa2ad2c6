import { readFile } from 'node:fs/promises'
import {
  type BinaryKind,
  encryptWord,
  encryptWorkbook,
  xorPassword,
} from '@kiln/test-support/encrypted-binary.ts'
import {
  type AgileKind,
  encryptAgile,
  encryptExtensible,
  encryptStandard,
  type StandardKind,
} from '@kiln/test-support/encrypted-office.ts'
import { encryptPresentation } from '@kiln/test-support/encrypted-presentation.ts'
import { describe, expect, test } from 'vitest'
import { readOleRoot } from '../../catalog/file-types/ole.ts'
import { uploadOf } from '../../catalog/file-types/upload.ts'
import { decryptDocument } from './decrypt-document.ts'

const password = 'pässwörd 密碼'
const document = Buffer.from('a package of some length '.repeat(400))
const wrong = { word: 'password-protected', message: expect.stringContaining('does not open') }
const unsupported = {
  word: 'unsupported',
  message: expect.stringMatching(/^This kind of encryption is not supported/),
}
const provider = 'Microsoft Enhanced RSA and AES Cryptographic Provider'

describe('standard encryption', () => {
  const kinds: StandardKind[] = [
    { keyBits: 128, major: 3, provider },
    { keyBits: 128, major: 4, provider: undefined },
    { keyBits: 128, major: 2, provider: '', isImplied: true },
    { keyBits: 192, major: 4, provider },
    { keyBits: 256, major: 4, provider },
  ]
  test.each(kinds)('$keyBits bits, version $major, provider "$provider"', async (kind) => {
    const file = encryptStandard(document, password, kind)
    expect((await decryptDocument(file, password)).equals(document)).toBe(true)
  })

  test('a wrong password', async () => {
    const file = encryptStandard(document, password, { keyBits: 128, major: 3, provider })
    await expect(decryptDocument(file, 'other')).rejects.toMatchObject(wrong)
  })
})

const agileKinds: AgileKind[] = [
  { hash: 'SHA1', cipher: 'AES', keyBits: 128, chaining: 'ChainingModeCBC' },
  { hash: 'SHA256', cipher: 'AES', keyBits: 192, chaining: 'ChainingModeCBC' },
  { hash: 'SHA384', cipher: 'AES', keyBits: 256, chaining: 'ChainingModeCFB' },
  { hash: 'SHA512', cipher: 'AES', keyBits: 256, chaining: 'ChainingModeCBC' },
  { hash: 'SHA1', cipher: '3DES', keyBits: 192, chaining: 'ChainingModeCBC' },
]

describe('agile encryption', () => {
  test.each(agileKinds)('$hash, $cipher, $keyBits bits, $chaining', async (kind) => {
    const file = encryptAgile(document, password, kind)
    expect((await decryptDocument(file, password)).equals(document)).toBe(true)
    await expect(decryptDocument(file, 'other')).rejects.toMatchObject(wrong)
  })

  test.each(['docx', 'xlsx'])('as LibreOffice writes it: %s', async (name) => {
    const file = await readFile(
      new URL(`../../../../test-support/src/office/protected.${name}`, import.meta.url),
    )
    expect((await decryptDocument(file, 'secret')).toString('latin1', 0, 2)).toBe('PK')
  })
})

describe('binary presentations', async () => {
  const plain = await readFile(new URL('../../../../test-support/src/office/slides.ppt', import.meta.url))
  const presentationOf = async (file: Buffer) => {
    const streams = await streamsOf(file)
    const [document, currentUser] = [streams['PowerPoint Document'], streams['Current User']]
    if (!document || !currentUser) throw new Error('no presentation')
    return { document, currentUser }
  }
  test.each([40, 56, 128] as const)('RC4 CryptoAPI, %i bits', async (keyBits) => {
    const source = await presentationOf(plain)
    const pictures = Buffer.concat([Buffer.from('006e1ef021000000', 'hex'), Buffer.alloc(33, 7)])
    const kind = { keyBits, provider: keyBits === 56 ? undefined : provider }
    const file = encryptPresentation({ ...source, pictures }, password, kind)
    await expect(decryptDocument(Buffer.from(file), 'other')).rejects.toMatchObject(wrong)
    const opened = await decryptDocument(file, password)
    const made = await presentationOf(opened)
    expect(made.document.subarray(0, source.document.length).equals(source.document)).toBe(true)
    expect(opened.includes(pictures)).toBe(true)
  })
})

const streamsOf = async (file: Buffer) => {
  const { streams } = await readOleRoot(uploadOf(file))
  const found: Record<string, Buffer> = {}
  for (const [name, stream] of streams) found[name] = await stream.start(stream.size)
  return found
}
const binaryKinds = ['xor', 'rc4', 'crypto-api'] as const
const passwordOf = (kind: BinaryKind) => (kind === 'xor' ? xorPassword : password)

describe('binary texts', () => {
  const text = Buffer.alloc(3000, 'mosses \0 and ferns ')
  text.writeUInt16LE(193, 2)
  text.writeUInt16LE(0x0200, 10)
  text.writeUInt32LE(0, 14)
  const plain = { WordDocument: text, '1Table': Buffer.alloc(2000, 'tables') }

  test.each(binaryKinds)('%s', async (kind) => {
    const file = encryptWord(plain, passwordOf(kind), kind)
    await expect(decryptDocument(Buffer.from(file), 'other')).rejects.toMatchObject(wrong)
    const opened = await streamsOf(await decryptDocument(file, passwordOf(kind)))
    expect(opened.WordDocument?.equals(text)).toBe(true)
    expect(opened['1Table']?.subarray(600).equals(plain['1Table'].subarray(600))).toBe(true)
  })

  test('a kind that is not known', async () => {
    await expect(decryptDocument(encryptWord(plain, password, 'unknown'), password)).rejects.toMatchObject(
      unsupported,
    )
  })
})

describe('binary workbooks', async () => {
  const plain = await readFile(new URL('../../../../test-support/src/office/table.xls', import.meta.url))
  const { Workbook = Buffer.alloc(0) } = await streamsOf(plain)

  test.each(binaryKinds)('%s', async (kind) => {
    const file = encryptWorkbook(Workbook, passwordOf(kind), kind)
    await expect(decryptDocument(Buffer.from(file), 'other')).rejects.toMatchObject(wrong)
    const opened = await streamsOf(await decryptDocument(file, passwordOf(kind)))
    // All but the encryption record, and the places of the sheets, which it moved.
    const last = opened.Workbook?.subarray(-400)
    expect(last?.equals(Workbook.subarray(-400))).toBe(true)
  })

  test('one that is only protected against changes', async () => {
    const file = encryptWorkbook(Workbook, 'VelvetSweatshop', 'rc4')
    await expect(decryptDocument(file, 'any')).resolves.toBeInstanceOf(Buffer)
  })

  test('a kind that is not known', async () => {
    const file = encryptWorkbook(Workbook, password, 'unknown')
    await expect(decryptDocument(file, password)).rejects.toMatchObject(unsupported)
  })
})

describe('what cannot be decrypted', () => {
  test('extensible encryption', async () => {
    await expect(decryptDocument(encryptExtensible(document), password)).rejects.toMatchObject(unsupported)
  })

  test('agile encryption with another cipher or hash', async () => {
    const file = encryptAgile(document, password, agileKinds[0] as AgileKind)
    for (const [from, to] of [
      ['hashAlgorithm="SHA1"', 'hashAlgorithm="MD22"'],
      ['cipherAlgorithm="AES"', 'cipherAlgorithm="RC2"'],
      ['/keyEncryptor/password', '/keyEncryptor/pas-cert'],
    ] as const) {
      const changed = Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1')
      await expect(decryptDocument(changed, password), to).rejects.toMatchObject(unsupported)
    }
  })

  test('any damage is a failure of the file', async () => {
    const file = encryptAgile(document, password, agileKinds[0] as AgileKind)
    for (let at = 512; at < file.length; at += 97) {
      const damaged = Buffer.from(file)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
      await decryptDocument(damaged, password).catch((error: unknown) =>
        expect(error).toMatchObject({ name: 'ConversionFailed' }),
      )
    }
  })
})
