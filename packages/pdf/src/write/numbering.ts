import { type ListMark, paragraphsOf } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/lists.ts'
import { elementAt } from '../element-at.ts'
import { familyOf } from '../font-names.ts'
import type { Section } from '../sections/section.ts'
import { declaration, escapeXml, namespaces, twips } from './xml.ts'

// One numbering definition per list, with the levels that the list uses.

export function numberingXml(sections: readonly Section[]): {
  xml: string
  numberOf: (list: { id: number }) => number
} {
  const marks = sections.flatMap(({ blocks }) => [...paragraphsOf(blocks)].flatMap((p) => p.list ?? []))
  const lists = Map.groupBy(marks, (mark) => mark.id)
  const ids = new Map([...lists.keys()].map((id, i) => [id, i + 1]))
  const abstract = [...lists].map(([id, own]) => {
    const rows = Array.from({ length: deepestLevel + 1 }, (_, level) => {
      const mark = own.find((m) => m.level === level)
      return levelXml(mark ?? elementAt(own, -1), level, mark !== undefined)
    })
    return `<w:abstractNum w:abstractNumId="${ids.get(id)}"><w:multiLevelType w:val="hybridMultilevel"/>${rows.join('')}</w:abstractNum>`
  })
  const numbers = [...ids.values()].map(
    (n) => `<w:num w:numId="${n}"><w:abstractNumId w:val="${n}"/></w:num>`,
  )
  return {
    xml: `${declaration}<w:numbering ${namespaces}>${abstract.join('')}${numbers.join('')}</w:numbering>`,
    numberOf: (list) => ids.get(list.id) ?? 1,
  }
}

function levelXml(mark: ListMark, level: number, own: boolean): string {
  const bullet = mark.format === 'bullet'
  const pattern = bullet || own ? mark.pattern : mark.pattern.replace(/%\d/, `%${level + 1}`)
  const left = twips(mark.textAt)
  const hanging = twips(mark.textAt - mark.labelAt)
  const { style } = mark
  const family = escapeXml(familyOf(style.font).name)
  let look = ''
  if (bullet) look += `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:cs="${family}" w:hint="default"/>`
  look += style.bold ? '<w:b/>' : '<w:b w:val="0"/>'
  look += style.italic ? '<w:i/>' : '<w:i w:val="0"/>'
  if (style.color !== '000000') look += `<w:color w:val="${style.color.toUpperCase()}"/>`
  const size = Math.max(2, Math.round(style.size * 2))
  look += `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`
  return (
    `<w:lvl w:ilvl="${level}"><w:start w:val="${Math.max(0, mark.start)}"/><w:numFmt w:val="${mark.format}"/>${mark.hangs ? '' : '<w:suff w:val="space"/>'}<w:lvlText w:val="${escapeXml(pattern)}"/><w:lvlJc w:val="left"/>` +
    `<w:pPr><w:ind w:left="${left}"${hanging >= 0 ? ` w:hanging="${hanging}"` : ` w:firstLine="${-hanging}"`}/></w:pPr><w:rPr>${look}</w:rPr></w:lvl>`
  )
}
