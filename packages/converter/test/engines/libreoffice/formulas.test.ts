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
