import type { Deck } from './deck.ts'

// A bullet without a font of its own is in the font of its text. LibreOffice takes a font of symbols
// for it, in which it is of another size.

const token =
  /<p:(?:sp|graphicFrame)\b[^<>]*>|<p:ph\b[^<>]*>|<a:buFont\b[^<>]*>|<a:p><a:pPr\b(?:(?!<a:p>)[\s\S])*?<\/a:pPr>(?:\s*<a:(?:r|fld)\b[^<>]*>\s*<a:rPr\b[^<>]*[^/<>]>(?:(?!<a:rPr\b|<a:p>)[\s\S])*?<\/a:rPr>)?/g
const likeText = '<a:buFontTx/>'
const ofTheme = '+mn-lt'

/** The parts that change. */
export function nameBulletFonts(deck: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  const named = deck.presentation.includes('<a:buFont ')
  for (const [name, xml] of [...deck.slides, ...deck.diagrams, ...deck.backgrounds]) {
    if (!xml.includes('<a:buChar')) continue
    // Styles of layouts and masters hold for text that is not there yet.
    const set = deck.backgrounds.has(name)
      ? xml.replaceAll(`${likeText}<a:buChar`, `<a:buFont typeface="${ofTheme}"/><a:buChar`)
      : nameIn(xml, named)
    if (set !== xml) changed.set(name, set)
  }
  return changed
}

function nameIn(xml: string, isNamed: boolean): string {
  // Does the shape's text get a font for bullets from elsewhere?
  let inherits = isNamed
  return xml.replaceAll(token, (found) => {
    if (found.startsWith('<p:sp') || found.startsWith('<p:graphicFrame')) inherits = isNamed
    else if (!found.startsWith('<a:p>')) inherits = true
    if (!found.startsWith('<a:p>') || !found.includes('<a:buChar')) return found
    const font = `<a:buFont typeface="${/<a:latin typeface="([^"<>]+)"/.exec(found)?.[1] ?? ofTheme}"/>`
    if (found.includes(likeText)) return found.replace(likeText, () => font)
    return inherits || found.includes('<a:buFont')
      ? found
      : found.replace('<a:buChar', () => `${font}<a:buChar`)
  })
}
