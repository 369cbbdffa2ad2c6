import type { PackageEdit } from '../../package/edit-package.ts'

// LibreOffice verifies digital signatures when it opens a document, which crashes it in the sandbox, where it finds no
// keys. No output shows whether a signature is valid, so documents are opened without them.

const openDocumentPart = /^meta-inf\/(?:document|macro|package)signatures\.xml$/
/** The list of signatures of Microsoft's packages; each is a part of its own. */
const officeOpenPart = /^_xmlsignatures\/_rels\/[^/]*\.rels$/

const noSignatures = (name: string): string =>
  openDocumentPart.test(name)
    ? '<document-signatures xmlns="urn:oasis:names:tc:opendocument:xmlns:digitalsignature:1.0"/>'
    : '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

export const removeSignatures: PackageEdit = {
  reads: (name) => openDocumentPart.test(name) || officeOpenPart.test(name),
  apply: (parts) => new Map([...parts.keys()].map((name) => [name, noSignatures(name)])),
}
