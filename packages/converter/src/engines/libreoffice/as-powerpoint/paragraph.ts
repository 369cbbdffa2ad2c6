import { childOf, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

/** Whether a child of a paragraph has a font size: a run, a field or a line break. */
export const isLetters = ({ name }: XmlNode): boolean => name === 'a:r' || name === 'a:fld' || name === 'a:br'

/** Replaces or adds the line spacing of a paragraph, which must be the first of its properties. */
export function setLineSpacing(paragraph: XmlNode, spacing: string, editor: XmlEditor): void {
  const set = `<a:lnSpc>${spacing}</a:lnSpc>`
  const properties = childOf(paragraph, 'a:pPr')
  const own = childOf(properties, 'a:lnSpc')
  if (own) editor.replace(own.start, own.closeEnd, set)
  else if (properties) insertFirst(properties, set, editor)
  else insertFirst(paragraph, `<a:pPr>${set}</a:pPr>`, editor)
}

function insertFirst(node: XmlNode, content: string, editor: XmlEditor): void {
  const tag = editor.source(node.start, node.end).slice(0, -2).trimEnd()
  if (node.isSelfClosing) editor.replace(node.start, node.end, `${tag}>${content}</${node.name}>`)
  else editor.replace(node.end, node.end, content)
}
