import { type Paragraph, paragraphsOf } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/heading-levels.ts'
import { deepestEntry } from '../blocks/heading-marks.ts'
import { familyOf } from '../font-names.ts'
import type { Section } from '../sections/section.ts'
import { halfPoints } from './runs.ts'
import { declaration, escapeXml, namespaces } from './xml.ts'

// Styles: Normal has the look of most of the text, heading styles that of the headings found.

export interface Base {
  family: string
  size: number
}

export interface HeadingStyle {
  base: Base
  bold: boolean
}

/** Default of a document without text, in points, as in Word. */
const sizeOfEmpty = 11

const headingStyles = new WeakMap<Base, Map<number, HeadingStyle>>()

export function styleIdOf(p: Paragraph): string | undefined {
  if (p.heading === 0) return 'Title'
  if (p.heading !== undefined) return `Heading${p.heading}`
  if (p.toc !== undefined) return `TOC${p.toc}`
  return p.list ? 'ListParagraph' : undefined
}

/** The look of a paragraph's runs by its style alone. */
export function headingLook(p: Paragraph, normal: Base): HeadingStyle {
  const own = p.heading === undefined ? undefined : headingStyles.get(normal)?.get(p.heading)
  return own ?? { base: normal, bold: false }
}

export function learnNormal(sections: readonly Section[]): Base {
  const weights = new Map<string, { base: Base; weight: number }>()
  for (const section of sections)
    for (const p of paragraphsOf(section.blocks))
      for (const run of p.runs) {
        if (run.style.script) continue
        const base = { family: familyOf(run.style.font).name, size: halfPoints(run.style.size) / 2 }
        const key = `${base.family}/${base.size}`
        const entry = weights.get(key)
        if (entry) entry.weight += run.text.length
        else weights.set(key, { base, weight: run.text.length })
      }
  let best: { base: Base; weight: number } | undefined
  for (const entry of weights.values()) if (!best || entry.weight > best.weight) best = entry
  return best?.base ?? { family: 'Times New Roman', size: sizeOfEmpty }
}

/** The most common look of each heading level becomes its style. */
export function learnHeadings(sections: readonly Section[], normal: Base): void {
  const counts = new Map<number, Map<string, { look: HeadingStyle; count: number }>>()
  for (const section of sections)
    for (const p of paragraphsOf(section.blocks)) {
      const run = p.runs[0]
      if (p.heading === undefined || !run) continue
      const look = {
        base: { family: familyOf(run.style.font).name, size: halfPoints(p.size) / 2 },
        bold: p.bold,
      }
      const key = JSON.stringify(look)
      let level = counts.get(p.heading)
      if (!level) {
        level = new Map()
        counts.set(p.heading, level)
      }
      const entry = level.get(key)
      if (entry) entry.count++
      else level.set(key, { look, count: 1 })
    }
  const out = new Map<number, HeadingStyle>()
  for (const [level, looks] of counts) {
    const best = [...looks.values()].sort((a, b) => b.count - a.count)[0]
    if (best) out.set(level, best.look)
  }
  headingStyles.set(normal, out)
}

export function stylesXml(normal: Base, language: string): string {
  const f = escapeXml(normal.family)
  const lang = /^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language) ? language : 'en-US'
  const size = halfPoints(normal.size)
  const heading = (level: number): string => {
    const look = headingStyles.get(normal)?.get(level)
    const family = look && look.base.family !== normal.family ? escapeXml(look.base.family) : undefined
    const sz = halfPoints(look?.base.size ?? normal.size)
    const name = level === 0 ? 'Title' : `heading ${level}`
    const id = level === 0 ? 'Title' : `Heading${level}`
    return (
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:uiPriority w:val="${level === 0 ? 10 : 9}"/><w:qFormat/>` +
      (level === 0 ? '' : `<w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr>`) +
      `<w:rPr>${family ? `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}"/>` : ''}${look?.bold ? '<w:b/><w:bCs/>' : ''}<w:sz w:val="${sz}"/><w:szCs w:val="${sz}"/></w:rPr></w:style>`
    )
  }
  return (
    `${declaration}<w:styles ${namespaces}><w:docDefaults><w:rPrDefault><w:rPr>` +
    `<w:rFonts w:ascii="${f}" w:hAnsi="${f}" w:eastAsia="${f}" w:cs="${f}"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/><w:lang w:val="${lang}" w:eastAsia="${/^(ja|zh|ko)/.test(lang) ? lang : 'en-US'}" w:bidi="${/^(ar|he|fa|ur)/.test(lang) ? lang : 'ar-SA'}"/>` +
    '</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>' +
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>' +
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style>' +
    '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>' +
    Array.from({ length: deepestLevel + 1 }, (_, level) => heading(level)).join('') +
    '<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/><w:qFormat/></w:style>' +
    Array.from({ length: deepestEntry }, (_, i) => i + 1)
      .map(
        (n) =>
          `<w:style w:type="paragraph" w:styleId="TOC${n}"><w:name w:val="toc ${n}"/><w:basedOn w:val="Normal"/></w:style>`,
      )
      .join('') +
    '<w:style w:type="paragraph" w:styleId="Header"><w:name w:val="header"/><w:basedOn w:val="Normal"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/><w:basedOn w:val="Normal"/></w:style>' +
    '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>' +
    '</w:styles>'
  )
}
