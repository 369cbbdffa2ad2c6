import type { Deck } from './deck.ts'

// PowerPoint underlines every link, also one that says it has no line. LibreOffice does not.

const start = /<a:rPr\b[^<>]*[^<>/]>(?=(?:(?!<a:rPr\b|<\/a:rPr>)[\s\S])*?<a:hlinkClick\b)/g

/** The slides that change. */
export function underlineLinks({ slides }: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, xml] of slides) {
    if (!xml.includes('<a:hlinkClick')) continue
    const underlined = xml.replaceAll(start, (found) => found.replace(/ u="none"/, ' u="sng"'))
    if (underlined !== xml) changed.set(name, underlined)
  }
  return changed
}
