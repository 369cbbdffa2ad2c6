import { attribute, type Deck, percent } from './deck.ts'

// PowerPoint sets lines of 1.2 times the size of the font, in tables too. LibreOffice does so in text boxes; in tables
// its lines are as high as the font says. So there each paragraph is told the height of its lines. The size of text in
// a table is its own or that of the deck's default; no layout has a say in it.

const lineShare = 1.2
const defaultSize = 1800
// Elements that end before the next one begins: a search that looked further would take the square of the length.
const cell = /<a:tc\b[^<>]*>(?:(?!<a:tc\b)[\s\S])*?<\/a:tc>/g
const paragraph = /<a:p>(?:(?!<a:p>)[\s\S])*?<\/a:p>/g
const ownSpacing = /<a:lnSpc>(?:(?!<a:lnSpc>)[\s\S])*?<\/a:lnSpc>/

/** The slides that change. */
export function setTableLines({ slides, presentation }: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, xml] of slides) {
    if (!xml.includes('<a:tc>') && !xml.includes('<a:tc ')) continue
    const set = xml.replaceAll(cell, (found) =>
      found.replaceAll(paragraph, (text) => setLines(text, presentation)),
    )
    if (set !== xml) changed.set(name, set)
  }
  return changed
}

function setLines(text: string, presentation: string): string {
  const [properties = ''] = /^<a:p><a:pPr\b[^<>]*>/.exec(text)?.[0].match(/<a:pPr.*/) ?? []
  const [spacing = ''] = ownSpacing.exec(text) ?? []
  // In points, it holds in both.
  if (spacing.includes('<a:spcPts')) return text
  const share = (lineShare * (percent(spacing, 'val') ?? 100)) / 100
  const points = Math.round(share * largestSize(text, attribute(properties, 'lvl'), presentation))
  const set = `<a:lnSpc><a:spcPts val="${points}"/></a:lnSpc>`
  if (spacing !== '') return text.replace(spacing, set)
  if (properties === '') return text.replace('<a:p>', `<a:p><a:pPr>${set}</a:pPr>`)
  return text.replace(
    properties,
    properties.endsWith('/>') ? `${properties.slice(0, -2)}>${set}</a:pPr>` : properties + set,
  )
}

/** In hundredths of a point. The end of a paragraph counts only where nothing comes before it. */
function largestSize(text: string, level: string, presentation: string): number {
  const letters = text.match(/<a:(?:r|fld|br)\b[^<>]*>(?:<a:rPr\b[^<>]*>)?/g) ?? []
  const sizes = letters.length > 0 ? letters : (text.match(/<a:endParaRPr\b[^<>]*>/g) ?? [''])
  const inherited = inheritedSize(level, presentation)
  return Math.max(...sizes.map((found) => Number(/ sz="(\d{3,6})"/.exec(found)?.[1] ?? inherited)))
}

function inheritedSize(level: string, presentation: string): number {
  const start = presentation.indexOf(`<a:lvl${Number(level) + 1}pPr`)
  const [properties = ''] = start < 0 ? [] : (/<a:defRPr\b[^<>]*>/.exec(presentation.slice(start)) ?? [])
  return Number(/ sz="(\d{3,6})"/.exec(properties)?.[1] ?? defaultSize)
}
