// A sign that the font lacks is shown in a font that has it. Word makes the line as high as that font, and LibreOffice
// does not. Fonts for text lack the block Dingbats and emoji; Word takes Segoe UI Symbol for the one and Segoe UI
// Emoji, which is as high, for the others. So Segoe UI Symbol is named, for bullets and in text. Its stand-in lacks
// emoji, so they stay in colour; the few that it has, mostly faces, are left alone for that.

const oneOrMore = String.raw`(?:[\u2701-\u27bf\u{1f300}-\u{1f310}\u{1f319}-\u{1f42c}\u{1f436}-\u{1f5ff}\u{1f644}-\u{1faff}][\u200d\ufe0e\ufe0f]*)+`
const onlySigns = new RegExp(`^${oneOrMore}$`, 'u')
const signs = new RegExp(oneOrMore, 'gu')
const font = 'Segoe UI Symbol'
const named = `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}" w:hint="default"/>`
/** Whoever names another font may name one that has the sign. */
const textFonts = /^(?:Arial|Calibri|Cambria|Times New Roman|Courier New|Aptos|Verdana|Tahoma|Georgia)$/

const ownFonts = /<w:rFonts\b[^<>]*>/

function mayLack(properties: string): boolean {
  const [fonts] = ownFonts.exec(properties) ?? []
  return fonts === undefined || textFonts.test(/w:ascii="([^"]*)"/.exec(fonts)?.[1] ?? '')
}

export const nameBulletFonts = (numbering: string): string =>
  numbering.replaceAll(/<w:lvl\b[^<>]*>(?:(?!<w:lvl\b)[\s\S])*?<\/w:lvl>/g, (level) => {
    const sign = /<w:lvlText\b[^<>]* ?w:val="([^"]*)"/.exec(level)?.[1] ?? ''
    if (!onlySigns.test(sign) || !/<w:numFmt w:val="bullet"\/>/.test(level) || !mayLack(level)) return level
    if (ownFonts.test(level)) return level.replace(ownFonts, named)
    return /<w:rPr>/.test(level)
      ? level.replace('<w:rPr>', `<w:rPr>${named}`)
      : level.replace('</w:lvl>', `<w:rPr>${named}</w:rPr></w:lvl>`)
  })

const run = /<w:r(?: [^<>]*)?>(<w:rPr>(?:(?!<w:r[ >])[\s\S])*?<\/w:rPr>)?(?:(?!<w:r[ >])[\s\S])*?<\/w:r>/g

// Each sign repeats the properties of its run, which may be as long as their author likes.
const mostAdded = 4_000_000

/** A run is cut before and after its signs. */
export function nameSignFonts(xml: string): string {
  if (xml.search(signs) < 0) return xml
  let added = 0
  return xml.replaceAll(run, (whole, properties = '') => {
    const count = whole.match(signs)?.length ?? 0
    if (count === 0 || !mayLack(properties)) return whole
    const [start = ''] = /^<w:r(?: [^<>]*)?>/.exec(whole) ?? []
    added += 2 * count * (start.length + properties.length + named.length)
    if (added > mostAdded) return whole
    const body = whole.slice(start.length + properties.length)
    const text = '<w:t xml:space="preserve">'
    return (
      start +
      properties +
      body.replaceAll(/<w:t(?: [^<>]*)?>([^<]*)<\/w:t>/g, (_, letters: string) => {
        const cut = letters.replaceAll(signs, (found) => {
          const signed = withFonts(properties)
          return `</w:t></w:r>${start}${signed}${text}${found}</w:t></w:r>${start}${properties}${text}`
        })
        return `${text}${cut}</w:t>`
      })
    )
  })
}

function withFonts(properties: string): string {
  if (properties === '') return `<w:rPr>${named}</w:rPr>`
  if (ownFonts.test(properties)) return properties.replace(ownFonts, named)
  return properties.replace(/^<w:rPr>(?:<w:rStyle\b[^<>]*>)?/, (head) => head + named)
}
