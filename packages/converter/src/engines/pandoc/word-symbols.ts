import { isSymbolFont, shownSymbols } from '../../catalog/file-types/symbol-fonts.ts'
import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../package/edit-xml.ts'

// Pandoc drops symbols of Wingdings, and shows text that is set in it as the letters with these codes. Word writes them for
// arrows, check boxes and smileys.

export const withSymbols = (xml: string): string =>
  /(?:wing|web)dings/i.test(xml)
    ? editTree(xml, (root, editor) => {
        for (const node of descendants(root)) if (node.name === 'w:r') showSymbols(node, editor)
      })
    : xml

function showSymbols(run: XmlNode, editor: XmlEditor): void {
  const properties = childOf(run, 'w:rPr')
  const font = properties && childOf(properties, 'w:rFonts')?.attributes['w:ascii']
  for (const { name, attributes, start, end, closeStart, closeEnd } of run.children) {
    const code = Number.parseInt(attributes['w:char'] ?? '', 16)
    const symbolFont = attributes['w:font'] ?? ''
    if (name === 'w:sym' && isSymbolFont(symbolFont) && code > 0 && code <= 0xffff)
      editor.replace(start, closeEnd, `<w:t>${shownSymbols(symbolFont, String.fromCharCode(code))}</w:t>`)
    else if (name === 'w:t' && font !== undefined && isSymbolFont(font))
      editor.replace(end, closeStart, shownText(font, editor.source(end, closeStart)))
  }
}

/** References to characters stay. */
const shownText = (font: string, xml: string): string =>
  xml.replaceAll(/[^&]+|&[^;]{1,10};|&/g, (piece) =>
    piece.startsWith('&') ? piece : shownSymbols(font, piece),
  )
