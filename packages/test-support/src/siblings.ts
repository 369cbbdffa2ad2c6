import { vbaProject } from './vba-project.ts'
import { unzip, zip } from './zip.ts'

// Templates, slide shows and documents with macros: the plain document under another name of its main part.

const mainTypes = {
  docm: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  dotx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
  xltx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml',
  pptm: 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
  ppsx: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml',
  potx: 'application/vnd.openxmlformats-officedocument.presentationml.template.main+xml',
} as const

export type Sibling = keyof typeof mainTypes

/** Runs when the document opens, where macros may; then its text is another one. */
const macro = ['Auto_Open', 'AutoOpen', 'Document_Open', 'Workbook_Open']
  .map(
    (name) =>
      `Sub ${name}()\nOn Error Resume Next\nActiveDocument.Content.Text = "MACRO RAN"\n` +
      'ActiveSheet.Range("A1").Value = "MACRO RAN"\nEnd Sub',
  )
  .join('\n')

export function siblingOf(plain: Uint8Array, sibling: Sibling): Buffer {
  const parts = unzip(plain)
  const types = String(parts.get('[Content_Types].xml'))
  const main = /PartName="\/((\w+)\/(?:document|workbook|presentation)\.xml)" ContentType="([^"]+)"/.exec(
    types,
  )
  if (!main) throw new Error('The document names no main part.')
  const [, name = '', folder = '', type = ''] = main
  parts.set('[Content_Types].xml', Buffer.from(types.replace(type, mainTypes[sibling])))
  if (sibling.endsWith('m')) {
    const relationships = name.replace(/([^/]+)$/, '_rels/$1.rels')
    const before = parts.get(relationships)?.toString() ?? emptyRelationships
    parts.set(
      relationships,
      Buffer.from(before.replace('</Relationships>', `${relationship}</Relationships>`)),
    )
    const known = String(parts.get('[Content_Types].xml'))
    parts.set('[Content_Types].xml', Buffer.from(known.replace('</Types>', `${binaries}</Types>`)))
    parts.set(`${folder}/vbaProject.bin`, vbaProject(macro))
  }
  return zip([...parts].map(([each, content]) => ({ name: each, content })))
}

const emptyRelationships =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
const relationship =
  '<Relationship Id="macros" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>'
const binaries = '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>'
