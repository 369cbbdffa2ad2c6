import { type ZipEntry, zip } from '@kiln/test-support/zip.ts'
import { bytesOf } from './service.ts'

// Inputs, made here so that every byte is known.

const megabyte = 1024 * 1024

/** Markdown that takes pandoc about five seconds to turn into Word. */
export const slowMarkdown = (paragraphs = 8000) =>
  bytesOf(
    `# Slow\n\n${Array.from(
      { length: paragraphs },
      (_, each) => `Paragraph ${each}: *emphasis*, **strong**, a [link](#p${each}) and \`code\`.`,
    ).join('\n\n')}\n`,
  )

const wordTypes =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const wordRelations =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
const wordDocument = (text: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`

export const wordFile = (text: string, more: ZipEntry[] = []) =>
  new Uint8Array(
    zip([
      { name: '[Content_Types].xml', content: wordTypes },
      { name: '_rels/.rels', content: wordRelations },
      { name: 'word/document.xml', content: wordDocument(text) },
      ...more,
    ]),
  )

/** A Word file with the given body, and with content that a report lists. */
export const wordFileWith = ({
  body,
  macros = false,
  remotePicture,
}: {
  body: string
  macros?: boolean
  remotePicture?: string
}) => {
  const namespaces =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
  const shown = remotePicture
    ? '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="p1"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    : ''
  const relation = remotePicture
    ? `<Relationship Id="p1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${remotePicture}" TargetMode="External"/>`
    : ''
  return new Uint8Array(
    zip([
      {
        name: '[Content_Types].xml',
        content: macros
          ? wordTypes.replace(
              'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
              'application/vnd.ms-word.document.macroEnabled.main+xml',
            )
          : wordTypes,
      },
      { name: '_rels/.rels', content: wordRelations },
      {
        name: 'word/document.xml',
        content: `<?xml version="1.0" encoding="UTF-8"?><w:document ${namespaces}><w:body>${body}${shown}</w:body></w:document>`,
      },
      {
        name: 'word/_rels/document.xml.rels',
        content: `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
      },
      ...(macros ? [{ name: 'word/vbaProject.bin', content: 'not read' }] : []),
    ]),
  )
}

/** A Word file of some hundred kilobytes that unpacks to 400 MB. */
export const wordBomb = () =>
  wordFile('bomb', [{ name: 'word/media/image1.bmp', content: Buffer.alloc(400 * megabyte) }])

const sector = 512
const freeSector = 0xffffffff
const endOfChain = 0xfffffffe

/**
 * What Office writes for a document with a password: a compound file whose directory holds
 * the streams EncryptionInfo and EncryptedPackage.
 */
export const passwordProtectedWordFile = () => {
  const file = Buffer.alloc(sector * 12)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(0x3e, 24)
  file.writeUInt16LE(3, 26)
  file.writeUInt16LE(0xfffe, 28)
  file.writeUInt16LE(9, 30)
  file.writeUInt16LE(6, 32)
  file.writeUInt32LE(1, 44)
  file.writeUInt32LE(1, 48)
  file.writeUInt32LE(4096, 56)
  file.writeUInt32LE(endOfChain, 60)
  file.writeUInt32LE(endOfChain, 68)
  file.writeUInt32LE(0, 76)
  for (let each = 1; each < 109; each++) file.writeUInt32LE(freeSector, 76 + each * 4)

  // Sector 0 is the allocation table, 1 the directory, 2 to 9 the encrypted package.
  const table = sector
  for (let each = 0; each < sector / 4; each++) file.writeUInt32LE(freeSector, table + each * 4)
  file.writeUInt32LE(0xfffffffd, table)
  file.writeUInt32LE(endOfChain, table + 4)
  for (let each = 2; each < 9; each++) file.writeUInt32LE(each + 1, table + each * 4)
  file.writeUInt32LE(endOfChain, table + 36)

  const entry = (
    index: number,
    name: string,
    type: number,
    fields: { child?: number; right?: number; start?: number; size?: number },
  ) => {
    const at = sector * 2 + index * 128
    file.write(name, at, 'utf16le')
    file.writeUInt16LE((name.length + 1) * 2, at + 64)
    file.writeUInt8(type, at + 66)
    file.writeUInt8(1, at + 67)
    file.writeUInt32LE(freeSector, at + 68)
    file.writeUInt32LE(fields.right ?? freeSector, at + 72)
    file.writeUInt32LE(fields.child ?? freeSector, at + 76)
    file.writeUInt32LE(fields.start ?? endOfChain, at + 116)
    file.writeUInt32LE(fields.size ?? 0, at + 120)
  }
  entry(0, 'Root Entry', 5, { child: 1 })
  entry(1, 'EncryptionInfo', 2, { right: 2 })
  entry(2, 'EncryptedPackage', 2, { start: 2, size: 4096 })
  return new Uint8Array(file)
}

/** The first bytes of a picture, enough for anyone to see that it is one. */
export const picture = () =>
  new Uint8Array([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0,
    1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55,
  ])
