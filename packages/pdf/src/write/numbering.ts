import { type ListMark, paragraphsOf } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/lists.ts'
import { familyOf } from '../font-names.ts'
import type { Section } from '../sections/section.ts'
import { declaration, escapeXml, namespaces, twips } from './xml.ts'

// One numbering definition per list, with the levels that the list uses.

export function numberingXml(sections: readonly Section[]): {
  xml: string
  numberOf: (list: { id: number }) => number
} {
  const lists = new Map<number, Map<number, ListMark>>()
  for (const section of sections)
    for (const p of paragraphsOf(section.blocks)) {
      if (!p.list) continue
      let levels = lists.get(p.list.id)
      if (!levels) {
        levels = new Map()
        lists.set(p.list.id, levels)
      }
      if (!levels.has(p.list.level)) levels.set(p.list.level, p.list)
    }
  const ids = new Map([...lists.keys()].map((id, i) => [id, i + 1]))
  const abstract = [...lists.entries()].map(([id, levels]) => {
    const rows: string[] = []
    for (let level = 0; level <= deepestLevel; level++) {
      const mark = levels.get(level) ?? [...levels.values()].at(-1)
      if (mark) rows.push(levelXml(mark, level, levels.has(level)))
    }
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
