import { type Deck, percent } from './deck.ts'

// PowerPoint shrinks text that is too long for its box while somebody types, and writes into the file by how much. It
// shows the text so, whether it fits or not. LibreOffice fits it anew, by other steps, with each box laid out several
// times. So it is told not to, and text that was shrunk gets a mark in the name of its shape, by which AsPowerPoint.xba
// finds it and gives it the sizes that PowerPoint has.

const shape = /<p:sp\b[^<>]*>(?:(?!<p:sp\b)[\s\S])*?<\/p:sp>/g
const fitted = /<a:normAutofit\b[^<>]*?(?:\/>|>\s*<\/a:normAutofit>)/
const asItIs = '<a:noAutofit/>'

/** The parts that change. */
export function keepShrunk({ slides, backgrounds }: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, xml] of [...slides, ...backgrounds]) {
    if (!xml.includes('<a:normAutofit')) continue
    const kept = xml.replaceAll(shape, keepInShape).replaceAll(new RegExp(fitted, 'g'), asItIs)
    if (kept !== xml) changed.set(name, kept)
  }
  return changed
}

function keepInShape(xml: string): string {
  const [element] = fitted.exec(xml) ?? []
  const font = percent(element ?? '', 'fontScale') ?? 100
  const less = percent(element ?? '', 'lnSpcReduction') ?? 0
  if (font === 100 && less === 0) return xml
  return xml.replace(/(<p:cNvPr\b[^<>]* name=")[^"<>]*"/, `$1kiln shrunk ${font} ${less}"`)
}
