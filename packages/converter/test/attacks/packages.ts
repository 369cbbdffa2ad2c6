import { zip as zipEntries } from '@kiln/test-support/zip.ts'

// The smallest packages that parsers accept, with a place for the attack.

/** The first file of an EPUB or ODF package is stored uncompressed. */
export const zip = (files: Readonly<Record<string, string>>): Buffer =>
  zipEntries(Object.entries(files).map(([name, content]) => ({ name, content, stored: name === 'mimetype' })))

const xml = '<?xml version="1.0" encoding="UTF-8"?>'

export function docx(body: string, relationships = '', doctype = ''): Buffer {
  return zip({
    '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships}</Relationships>`,
    'word/document.xml': `${xml}${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body><w:p><w:r><w:t>Plain text</w:t></w:r></w:p>${body}</w:body></w:document>`,
  })
}

/** A picture that Word would fetch from `address`. */
export function docxWithLinkedPicture(address: string): Buffer {
  const picture = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="100000" cy="100000"/><wp:docPr id="1" name="p" descr="linked picture"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="p"/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9" r:embed="rId9"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const relationship = `<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${address}" TargetMode="External"/>`
  return docx(picture, relationship)
}

export function odt(body: string, doctype = ''): Buffer {
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': `${xml}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    'styles.xml': `${xml}<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:font-face-decls/><office:styles/><office:automatic-styles/><office:master-styles/></office:document-styles>`,
    'content.xml': `${xml}${doctype}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:font-face-decls/><office:automatic-styles/><office:body><office:text><text:p>Plain text</text:p>${body}</office:text></office:body></office:document-content>`,
  })
}

export const odtWithLinkedPicture = (address: string): Buffer =>
  odt(
    `<text:p><draw:frame draw:name="p"><draw:image xlink:href="${address}" xlink:type="simple"/></draw:frame></text:p>`,
  )

export function epub(body: string, doctype = '', more: Readonly<Record<string, string>> = {}): Buffer {
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${xml}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'content.opf': `${xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>Book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    'c.xhtml': `${xml}${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body><p>Plain text</p>${body}</body></html>`,
    ...more,
  })
}
