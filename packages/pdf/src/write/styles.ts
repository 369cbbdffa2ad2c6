import { type Paragraph, paragraphsOf } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/heading-levels.ts'
import { deepestEntry } from '../blocks/heading-marks.ts'
import { elementAt } from '../element-at.ts'
import { familyOf } from '../font-names.ts'
import { heaviest } from '../geometry.ts'
import type { Font } from '../read/page.ts'
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

export interface Looks {
  normal: Base
  /** By level. */
  headings: ReadonlyMap<number, HeadingStyle>
}

/** Default of a document without text, in points, as in Word. */
const sizeOfEmpty = 11

export function styleIdOf(p: Paragraph): string | undefined {
  if (p.heading === 0) return 'Title'
  if (p.heading !== undefined) return `Heading${p.heading}`
  if (p.toc !== undefined) return `TOC${p.toc}`
  return p.list ? 'ListParagraph' : undefined
}

/** The look of a paragraph's runs by its style alone. */
export const headingLook = ({ heading }: Paragraph, { normal, headings }: Looks): HeadingStyle =>
  (heading === undefined ? undefined : headings.get(heading)) ?? { base: normal, bold: false }

const baseOf = (font: Font, size: number): Base => ({
  family: familyOf(font).name,
  size: halfPoints(size) / 2,
})

/** The most common look of the text, and of each heading level. */
export function learnLooks(sections: readonly Section[]): Looks {
  const paragraphs = sections.flatMap(({ blocks }) => [...paragraphsOf(blocks)])
  const runs = paragraphs.flatMap((p) => p.runs).filter((run) => !run.style.script)
  const headings = Map.groupBy(
    paragraphs.filter((p) => p.heading !== undefined && p.runs.length > 0),
    (p) => p.heading ?? 0,
  )
  const lookOf = (p: Paragraph): HeadingStyle => ({
    base: baseOf(elementAt(p.runs, 0).style.font, p.size),
    bold: p.bold,
  })
  return {
    normal: heaviestLook(runs.map(({ style, text }) => [baseOf(style.font, style.size), text.length])) ?? {
      family: 'Times New Roman',
      size: sizeOfEmpty,
    },
    headings: new Map(
      [...headings].flatMap(([level, own]) => {
        const look = heaviestLook(own.map((p) => [lookOf(p), 1]))
        return look ? [[level, look]] : []
      }),
    ),
  }
}

function heaviestLook<T>(looks: readonly (readonly [T, number])[]): T | undefined {
  const key = heaviest(looks.map(([look, weight]) => [JSON.stringify(look), weight]))
  return key === undefined ? undefined : (JSON.parse(key) as T)
}

export function stylesXml({ normal, headings }: Looks, language: string): string {
  const f = escapeXml(normal.family)
  const lang = /^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language) ? language : 'en-US'
  const size = halfPoints(normal.size)
  const heading = (level: number): string => {
    const look = headings.get(level)
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
