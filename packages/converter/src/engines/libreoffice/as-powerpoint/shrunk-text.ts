import { childOf, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { percentOf } from './deck.ts'
import { isLetters, setLineSpacing } from './paragraph.ts'
import { levelOf, percentIn, sizeOf, type TextStyles } from './text-styles.ts'

// While a deck is edited, PowerPoint shrinks text that is too long for its box and stores the result in the file: the
// font scale, which gives whole points, and the reduction of line spacing. It displays the text with these values,
// whether it fits or not. LibreOffice fits the text again, in other steps and with several layouts per box. So shrunk
// text gets the sizes that PowerPoint displays.

const asItIs = '<a:noAutofit/>'

export const keepAutofit = (node: XmlNode, editor: XmlEditor): void => {
  if (node.name === 'a:normAutofit') editor.replace(node.start, node.closeEnd, asItIs)
}

/** `stylesOf` returns the styles of a shape. */
export const shrinkText =
  (stylesOf: (shape: XmlNode) => TextStyles) =>
  (node: XmlNode, editor: XmlEditor): void => {
    if (node.name !== 'p:sp') return
    const text = childOf(node, 'p:txBody')
    const fitted = childOf(childOf(text, 'a:bodyPr'), 'a:normAutofit')
    const share = percentOf(fitted?.attributes.fontScale) ?? 100
    const less = percentOf(fitted?.attributes.lnSpcReduction) ?? 0
    if (!text || (share === 100 && less === 0)) return
    const styles = stylesOf(node)
    for (const paragraph of text.children) {
      if (paragraph.name !== 'a:p') continue
      shrinkLetters(paragraph, share, styles.sizeAt(levelOf(paragraph)), editor)
      if (less > 0) reduceSpacing(paragraph, less, styles, editor)
    }
  }

function reduceSpacing(paragraph: XmlNode, less: number, styles: TextStyles, editor: XmlEditor): void {
  const own = childOf(childOf(paragraph, 'a:pPr'), 'a:lnSpc')
  const spacing = own ? percentIn(own) : styles.spacingAt(levelOf(paragraph))
  if (spacing !== undefined && spacing > less)
    setLineSpacing(paragraph, `<a:spcPct val="${Math.round((spacing - less) * 1000)}"/>`, editor)
}

function shrinkLetters(paragraph: XmlNode, share: number, inherited: number, editor: XmlEditor): void {
  const shrunk = (properties: XmlNode | undefined): string =>
    String(Math.floor(((sizeOf(properties) ?? inherited) * share) / 10_000 + 0.5) * 100)
  let hasEnd = false
  for (const child of paragraph.children) {
    if (child.name === 'a:endParaRPr') {
      hasEnd = true
      editor.setAttributes(child, { sz: shrunk(child) })
    }
    if (!isLetters(child)) continue
    const properties = childOf(child, 'a:rPr')
    if (properties) editor.setAttributes(properties, { sz: shrunk(properties) })
    else if (child.isSelfClosing)
      editor.replace(
        child.start,
        child.end,
        `<${child.name}><a:rPr sz="${shrunk(undefined)}"/></${child.name}>`,
      )
    else editor.replace(child.end, child.end, `<a:rPr sz="${shrunk(undefined)}"/>`)
  }
  // An empty paragraph has no runs whose size could be set.
  if (!hasEnd && !paragraph.isSelfClosing)
    editor.replace(paragraph.closeStart, paragraph.closeStart, `<a:endParaRPr sz="${shrunk(undefined)}"/>`)
}
