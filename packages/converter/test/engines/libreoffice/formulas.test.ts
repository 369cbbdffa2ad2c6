import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { docxWith, flatDocument } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { beforeAll, expect, test } from 'vitest'

// Formulas are drawn by a module of LibreOffice in a package of its own. Decks hold a picture of each formula.

const run = promisify(execFile)
const kiln = useTestConverter()
beforeAll(() => kiln.converter.prepare())

const math = 'http://schemas.openxmlformats.org/officeDocument/2006/math'
const formula =
  `<m:oMath xmlns:m="${math}"><m:f><m:num><m:r><m:t>alpha</m:t></m:r></m:num>` +
  '<m:den><m:r><m:t>beta</m:t></m:r></m:den></m:f></m:oMath>'

const documents = {
  docx: docxWith(`<w:p><w:r><w:t>Before</w:t></w:r>${formula}</w:p>`),
  odt: Buffer.from(
    flatDocument(
      'text',
      '<text:p>Before <draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" ' +
        'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" text:anchor-type="as-char" ' +
        'svg:width="2cm" svg:height="1cm"><draw:object><math xmlns="http://www.w3.org/1998/Math/MathML">' +
        '<mfrac><mi>alpha</mi><mi>beta</mi></mfrac></math></draw:object></draw:frame></text:p>',
    ),
  ),
}

test.each(Object.entries(documents))('a formula of a %s file is printed', async (format, document) => {
  const path = await kiln.convert(document, format as keyof typeof documents, 'pdf')
  const { stdout } = await run('pdftotext', [path, '-'])
  const words = stdout.split(/\s+/).filter(Boolean)
  expect(words.toSorted()).toEqual(['Before', 'alpha', 'beta'])
})

test('limits are beside an integral and around a union, in the font and size of Word', async () => {
  const letters = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const nary = (symbol: string) =>
    `<m:nary><m:naryPr><m:chr m:val="${symbol}"/></m:naryPr><m:sub>${letters('lower')}</m:sub><m:sup>${letters('upper')}</m:sup><m:e>${letters('body')}</m:e></m:nary>`
  const path = await kiln.convert(
    docxWith(`<w:p><m:oMath xmlns:m="${math}">${nary('∫')}${nary('⋃')}</m:oMath></w:p>`),
    'docx',
    'pdf',
  )
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
  const lefts = (wanted: string) =>
    Array.from(
      stdout.matchAll(/xMin="([\d.]+)".*?>(.*?)<\/word>/g),
      ([, left, word]) => [word, Number(left)] as const,
    )
      .filter(([word]) => word === wanted)
      .map(([, left]) => left)
  const [sign = Number.NaN] = lefts('∫')
  for (const word of ['lower', 'upper']) expect(lefts(word)[0]).toBeGreaterThan(sign + 4)
  expect(stdout).not.toContain('¿')
  expect((await run('pdffonts', [path])).stdout).toContain('KilnSerif1Italic')
})
