import { childOf, descendants, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

// A bullet without a font uses the font of its text. LibreOffice uses a symbol font for it, in which it has a different
// size.

const ofTheme = '+mn-lt'
const fontElement = (family: string): string =>
  `<a:buFont typeface="${family.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`

/** For styles of layouts and masters, which have no text of their own. */
export function nameStyleBullets(node: XmlNode, editor: XmlEditor): void {
  const font = childOf(node, 'a:buFontTx')
  if (font && childOf(node, 'a:buChar')) editor.replace(font.start, font.closeEnd, fontElement(ofTheme))
}

/** `isNamed`: the deck names a font for bullets. */
export function nameBulletFonts(isNamed: boolean): (node: XmlNode, editor: XmlEditor) => void {
  // Whether the shape's text inherits a font for bullets.
  let inherits = isNamed
  return (node, editor) => {
    if (node.name === 'p:sp' || node.name === 'p:graphicFrame') inherits = isNamed
    else if (node.name === 'p:ph' || (node.name.startsWith('a:lvl') && childOf(node, 'a:buFont')))
      inherits = true
    else if (node.name === 'a:p') nameBullet(node, inherits, editor)
  }
}

function nameBullet(paragraph: XmlNode, inherits: boolean, editor: XmlEditor): void {
  const properties = childOf(paragraph, 'a:pPr')
  const sign = childOf(properties, 'a:buChar')
  if (!properties || !sign) return
  const likeText = childOf(properties, 'a:buFontTx')
  const font = fontElement(latinFont(properties, paragraph) ?? ofTheme)
  if (likeText) editor.replace(likeText.start, likeText.closeEnd, font)
  else if (!inherits && !childOf(properties, 'a:buFont')) editor.replace(sign.start, sign.start, font)
}

/** From the paragraph's properties, or from its first run. */
function latinFont(properties: XmlNode, paragraph: XmlNode): string | undefined {
  const letters = paragraph.children.find(({ name }) => name === 'a:r' || name === 'a:fld')
  for (const place of [properties, childOf(letters, 'a:rPr')])
    if (place)
      for (const { name, attributes } of descendants(place))
        if (name === 'a:latin' && attributes.typeface) return attributes.typeface
  return undefined
}
