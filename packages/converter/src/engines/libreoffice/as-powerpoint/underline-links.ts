import { childOf, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

/** PowerPoint underlines every link, even with `u="none"`. LibreOffice does not. */
export function underlineLinks(node: XmlNode, editor: XmlEditor): void {
  if (node.name === 'a:rPr' && node.attributes.u === 'none' && childOf(node, 'a:hlinkClick'))
    editor.setAttributes(node, { u: 'sng' })
}
