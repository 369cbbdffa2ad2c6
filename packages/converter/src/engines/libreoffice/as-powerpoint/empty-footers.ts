import { childOf, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { isLetters } from './paragraph.ts'

/**
 * LibreOffice prints the footer of a slide in the shape of its layout, and without text there in a serif font of 14
 * points. So the empty footers of layouts and masters get a space.
 */
export function fillEmptyFooter(node: XmlNode, editor: XmlEditor): void {
  if (node.name !== 'p:sp' || placeholderOf(node)?.attributes.type !== 'ftr') return
  const paragraph = childOf(childOf(node, 'p:txBody'), 'a:p')
  if (!paragraph || paragraph.children.some(isLetters)) return
  const space = '<a:r><a:rPr/><a:t> </a:t></a:r>'
  const at = childOf(paragraph, 'a:endParaRPr')?.start ?? paragraph.closeStart
  if (paragraph.isSelfClosing) editor.replace(paragraph.start, paragraph.end, `<a:p>${space}</a:p>`)
  else editor.replace(at, at, space)
}

const placeholderOf = (shape: XmlNode): XmlNode | undefined =>
  childOf(childOf(childOf(shape, 'p:nvSpPr'), 'p:nvPr'), 'p:ph')
