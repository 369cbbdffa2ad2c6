import { childOf, descendants, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { isLetters, setLineSpacing } from './paragraph.ts'
import { levelOf, percentIn, sizeOf, type TextStyles } from './text-styles.ts'

// PowerPoint's line height is 1.2 times the font size, in tables too. LibreOffice does the same in text boxes; in
// tables it uses the font's line height. So each paragraph in a table gets an explicit line height. The font size of
// text in a table is its own or the deck's default, not that of a layout.

const lineShare = 1.2

export const setTableLines =
  (styles: TextStyles) =>
  (node: XmlNode, editor: XmlEditor): void => {
    if (node.name !== 'a:tc') return
    for (const paragraph of descendants(node))
      if (paragraph.name === 'a:p') setLines(paragraph, styles, editor)
  }

function setLines(paragraph: XmlNode, styles: TextStyles, editor: XmlEditor): void {
  const own = childOf(childOf(paragraph, 'a:pPr'), 'a:lnSpc')
  const spacing = own ? percentIn(own) : 100
  // Spacing in points has the same effect in both programs.
  if (spacing === undefined) return
  const points = Math.round((lineShare * spacing * largestSize(paragraph, styles)) / 100)
  setLineSpacing(paragraph, `<a:spcPts val="${points}"/>`, editor)
}

/** In hundredths of a point. The paragraph end counts only if the paragraph is empty. */
function largestSize(paragraph: XmlNode, styles: TextStyles): number {
  const inherited = styles.sizeAt(levelOf(paragraph))
  let largest = 0
  for (const child of paragraph.children)
    if (isLetters(child)) largest = Math.max(largest, sizeOf(childOf(child, 'a:rPr')) ?? inherited)
  return largest > 0 ? largest : (sizeOf(childOf(paragraph, 'a:endParaRPr')) ?? inherited)
}
