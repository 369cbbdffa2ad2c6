import { readFile } from 'node:fs/promises'
import { docxWith } from '@kiln/test-support/documents.ts'
import {
  type BinaryKind,
  encryptWord,
  encryptWorkbook,
  xorPassword,
} from '@kiln/test-support/encrypted-binary.ts'
import { encryptExtensible, encryptStandard } from '@kiln/test-support/encrypted-office.ts'
import { encryptPresentation } from '@kiln/test-support/encrypted-presentation.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test } from 'vitest'
import { readOleRoot } from '../src/catalog/file-types/ole.ts'
import { uploadOf } from '../src/catalog/file-types/upload.ts'
import { decryptDocument } from '../src/sandboxed-programs/decrypt/decrypt-document.ts'

// Documents with a password, from the upload to the output. Every kind of encryption that Kiln decrypts itself is in
// src/sandboxed-programs/decrypt/decrypt-document.test.ts; the others are LibreOffice's.

const kiln = useTestConverter()

const options = { options: { password: 'secret' } }

test.each([
  ['docx', 'A letter about mosses'],
  ['doc', 'A letter about mosses'],
  ['odt', 'A letter about mosses'],
  ['xlsx', 'Bryum'],
  ['xls', 'Bryum'],
] as const)('%s as LibreOffice encrypts it', async (from, words) => {
  const file = await officeFile(`protected.${from}`)
  expect(await pdfText(await kiln.convert(file, from, 'pdf', options))).toContain(words)
  const wrong = { options: { password: 'Secret' } }
  expect(await kiln.failure(file, from, 'pdf', wrong)).toMatch(/^password-protected: .*does not open/)
})

test('a docx without the name of a provider, by both engines', { tags: 'slow' }, async () => {
  const plain = await docxWith('<w:p><w:r><w:t>Ferns and mosses</w:t></w:r></w:p>')
  const file = encryptStandard(Buffer.from(plain), 'secret', { keyBits: 128, major: 4, provider: undefined })
  expect(await pdfText(await kiln.convert(file, 'docx', 'pdf', options))).toContain('Ferns and mosses')
  const text = await readFile(await kiln.convert(file, 'docx', 'md', options), 'utf8')
  expect(text).toContain('Ferns and mosses')
  expect(await kiln.failure(file, 'docx', 'md')).toMatch(/^password-protected: .*option `password`/)
})

test('a binary presentation (RC4 CryptoAPI)', async () => {
  const { streams } = await readOleRoot(uploadOf(await officeFile('slides.ppt')))
  const read = async (name: string) => {
    const stream = streams.get(name)
    return (await stream?.start(stream.size)) ?? Buffer.alloc(0)
  }
  const source = { document: await read('PowerPoint Document'), currentUser: await read('Current User') }
  const file = encryptPresentation(source, 'secret', { keyBits: 128, provider: 'Microsoft Strong' })
  const expected = await pdfText(await kiln.convert(await officeFile('slides.ppt'), 'ppt', 'pdf'))
  expect(await pdfText(await kiln.convert(file, 'ppt', 'pdf', options))).toBe(expected)
  const wrong = { options: { password: 'other' } }
  expect(await kiln.failure(file, 'ppt', 'pdf', wrong)).toMatch(/^password-protected: .*does not open/)
})

describe('binary documents as Office encrypts them', () => {
  const streamsOf = async (file: Buffer) => {
    const { streams } = await readOleRoot(uploadOf(file))
    const found: Record<string, Buffer> = {}
    for (const [name, stream] of streams) found[name] = await stream.start(stream.size)
    return found
  }
  // The document of LibreOffice has room for the header of its kind of encryption, and for no larger one.
  const word = async () => streamsOf(await decryptDocument(await officeFile('protected.doc'), 'secret'))
  const workbook = async () => (await streamsOf(await officeFile('table.xls'))).Workbook ?? Buffer.alloc(0)
  const passwordOf = (kind: BinaryKind) => (kind === 'xor' ? xorPassword : 'secret')

  test.each(['xor', 'rc4'] as const)('doc, %s', { tags: 'slow' }, async (kind) => {
    const file = encryptWord(await word(), passwordOf(kind), kind)
    const given = { options: { password: passwordOf(kind) } }
    expect(await pdfText(await kiln.convert(file, 'doc', 'pdf', given))).toContain('A letter about mosses')
  })

  test.each(['xor', 'rc4', 'crypto-api'] as const)('xls, %s', { tags: 'slow' }, async (kind) => {
    const file = encryptWorkbook(await workbook(), passwordOf(kind), kind)
    const given = { options: { password: passwordOf(kind) } }
    expect(await pdfText(await kiln.convert(file, 'xls', 'pdf', given))).toContain('Bryum')
    const wrong = { options: { password: 'other' } }
    expect(await kiln.failure(file, 'xls', 'pdf', wrong)).toMatch(/^password-protected: .*does not open/)
  })

  test('a kind that is not known is not called a wrong password', async () => {
    for (const [from, file] of [
      ['doc', encryptWord(await word(), 'secret', 'unknown')],
      ['xls', encryptWorkbook(await workbook(), 'secret', 'unknown')],
    ] as const)
      expect(await kiln.failure(file, from, 'pdf', options)).toMatch(
        /^unsupported: This kind of encryption is not supported/,
      )
  })
})

test('what is inside is checked as any other upload', async () => {
  const file = encryptStandard(Buffer.from('no package'), 'secret', { keyBits: 128, major: 4, provider: '' })
  expect(await kiln.failure(file, 'docx', 'pdf', options)).toMatch(/^wrong-format: /)
})

test('other kinds of encryption are not called a wrong password', async () => {
  const file = encryptExtensible(Buffer.from('x'))
  expect(await kiln.failure(file, 'docx', 'pdf', options)).toMatch(
    /^unsupported: This kind of encryption is not supported/,
  )
})
