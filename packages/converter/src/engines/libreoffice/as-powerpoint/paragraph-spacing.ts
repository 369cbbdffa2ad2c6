import { childOf, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { percentOf } from './deck.ts'

// Space before and after a paragraph can be a percentage of a line. PowerPoint's line is 1.2 times the font size;
// LibreOffice applies the percentage to the font size.

const lineShare = 1.2

export function scaleSpacing(node: XmlNode, editor: XmlEditor): void {
  if (node.name !== 'a:spcBef' && node.name !== 'a:spcAft') return
  const share = childOf(node, 'a:spcPct')
  const percent = percentOf(share?.attributes.val)
  if (share && percent !== undefined)
    editor.setAttributes(share, { val: String(Math.round(percent * lineShare * 1000)) })
}
