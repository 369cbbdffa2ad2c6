import type { XmlVisitor } from '../../../package/edit-xml.ts'

// A floating table that is aligned at an edge is at this edge in Word. LibreOffice moves it away by its distance from
// the text, though there is no text on that side.

const distances: Readonly<Record<string, string>> = {
  left: 'w:leftFromText',
  inside: 'w:leftFromText',
  right: 'w:rightFromText',
  outside: 'w:rightFromText',
}

export const hasAlignedTables = (xml: string): boolean => xml.includes('w:tblpXSpec=')

export const alignedTableVisitor: XmlVisitor = {
  open(element, editor) {
    if (element.name !== 'w:tblpPr') return
    const distance = distances[element.attributes['w:tblpXSpec'] ?? '']
    if (distance) editor.setAttributes(element, { [distance]: '0' })
  },
}
