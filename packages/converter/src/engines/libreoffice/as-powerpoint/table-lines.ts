import { attribute, type Deck, percent } from './deck.ts'

// PowerPoint sets lines of 1.2 times the size of the font, in tables too. LibreOffice does so in text boxes; in tables
// its lines are as high as the font says. So each paragraph there gets an explicit line height. The size of text in
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
  const sizes = defaultSizes(presentation)
  for (const [name, xml] of slides) {
    if (!xml.includes('<a:tc>') && !xml.includes('<a:tc ')) continue
    const set = xml.replaceAll(cell, (found) => found.replaceAll(paragraph, (text) => setLines(text, sizes)))
    if (set !== xml) changed.set(name, set)
  }
  return changed
}

function setLines(text: string, sizes: readonly number[]): string {
  const [properties = ''] = /^<a:p><a:pPr\b[^<>]*>/.exec(text)?.[0].match(/<a:pPr.*/) ?? []
  const [spacing = ''] = ownSpacing.exec(text) ?? []
  // In points, it holds in both.
  if (spacing.includes('<a:spcPts')) return text
  const share = (lineShare * (percent(spacing, 'val') ?? 100)) / 100
  const inherited = sizes[Number(attribute(properties, 'lvl'))] ?? defaultSize
  const points = Math.round(share * largestSize(text, inherited))
  const set = `<a:lnSpc><a:spcPts val="${points}"/></a:lnSpc>`
  if (spacing !== '') return text.replace(spacing, set)
  const start = '<a:p>'.length
  const rest = text.slice(start + properties.length)
  if (properties === '') return `<a:p><a:pPr>${set}</a:pPr>${rest}`
  if (properties.endsWith('/>')) return `<a:p>${properties.slice(0, -2)}>${set}</a:pPr>${rest}`
  return `<a:p>${properties}${set}${rest}`
}

/** In hundredths of a point. The end of a paragraph counts only where nothing comes before it. */
function largestSize(text: string, inherited: number): number {
  const letters = text.match(/<a:(?:r|fld|br)\b[^<>]*>(?:<a:rPr\b[^<>]*>)?/g) ?? []
  const found = letters.length > 0 ? letters : (text.match(/<a:endParaRPr\b[^<>]*>/g) ?? [''])
  return found.reduce((largest, element) => Math.max(largest, sizeOf(element) ?? inherited), 0)
}

/** By level. */
const defaultSizes = (presentation: string): number[] =>
  Array.from({ length: 9 }, (_, level) => {
    const start = presentation.indexOf(`<a:lvl${level + 1}pPr`)
    const [properties = ''] = start < 0 ? [] : (/<a:defRPr\b[^<>]*>/.exec(presentation.slice(start)) ?? [])
    return sizeOf(properties) ?? defaultSize
  })

function sizeOf(element: string): number | undefined {
  const [, size] = / sz="(\d{3,6})"/.exec(element) ?? []
  return size === undefined ? undefined : Number(size)
}
