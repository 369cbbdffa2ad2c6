import { docx, odt, xlsx } from '@kiln/test-support/documents.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'

// LibreOffice verifies the signatures of a document when it opens it. In the sandbox it crashed on every signed one.

const kiln = useTestConverter()

const algorithm = (name: string, fragment: string) =>
  `<${name} Algorithm="http://www.w3.org/2000/09/xmldsig#${fragment}"/>`
const signature = (id: string, signed: string) =>
  `<Signature Id="${id}" xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>` +
  '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>' +
  `${algorithm('SignatureMethod', 'rsa-sha1')}<Reference URI="${signed}">${algorithm('DigestMethod', 'sha1')}` +
  '<DigestValue>AAAA</DigestValue></Reference></SignedInfo><SignatureValue>AAAA</SignatureValue>' +
  '<KeyInfo><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></Signature>'

/** With these parts added, and others edited. */
function withParts(
  file: Buffer,
  added: Record<string, string>,
  edited: Record<string, (xml: string) => string> = {},
): Buffer {
  const parts = [...unzip(file)].map(([name, content]) => {
    const edit = edited[name]
    return { name, content: edit ? edit(content.toString()) : content }
  })
  return zip([...parts, ...Object.entries(added).map(([name, content]) => ({ name, content }))])
}

const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const signedOffice = (file: Buffer) =>
  withParts(
    file,
    {
      '_xmlsignatures/origin.sigs': '',
      '_xmlsignatures/_rels/origin.sigs.rels':
        `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Target="sig1.xml" ` +
        `Type="${relationships}/digital-signature/signature"/></Relationships>`,
      '_xmlsignatures/sig1.xml': signature('idPackageSignature', '#idPackageObject'),
    },
    {
      '_rels/.rels': (xml) =>
        xml.replace(
          '</Relationships>',
          `<Relationship Id="r9" Type="${relationships}/digital-signature/origin" ` +
            'Target="_xmlsignatures/origin.sigs"/></Relationships>',
        ),
      '[Content_Types].xml': (xml) =>
        xml.replace(
          '<Default ',
          '<Default Extension="sigs" ContentType="application/vnd.openxmlformats-package.digital-signature-origin"/><Default ',
        ),
    },
  )
const signedOpenDocument = (file: Buffer) =>
  withParts(file, {
    'META-INF/documentsignatures.xml':
      '<document-signatures xmlns="urn:oasis:names:tc:opendocument:xmlns:digitalsignature:1.0">' +
      `${signature('ID_1', 'content.xml')}</document-signatures>`,
  })

const text = 'A contract that was signed'

test.each([
  ['docx', signedOffice(docx(text))],
  ['xlsx', signedOffice(xlsx({ rows: [[text]] }))],
  ['odt', signedOpenDocument(odt(text))],
] as const)('a signed %s becomes a PDF', async (from, file) => {
  expect(await pdfText(await kiln.convert(file, from, 'pdf'))).toContain(text)
})

test('a signed document becomes one of another program', async () => {
  const converted = await kiln.convert(signedOffice(docx(text)), 'docx', 'odt')
  expect(await pdfText(await kiln.convert({ path: converted }, 'odt', 'pdf'))).toContain(text)
})
