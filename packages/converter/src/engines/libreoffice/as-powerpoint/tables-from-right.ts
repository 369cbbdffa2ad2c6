import type { Deck } from './deck.ts'

// A table may say that its first column is the rightmost one. LibreOffice sets the first one left always. So the
// columns and the cells of each row are turned round. Cells that are joined stay in their order: the one that shows
// comes first in both. Lines and margins are those of a side that one sees and stay.

// Elements that end before the next one begins: a search that looked further would take the square of the length.
const table = /<a:tbl>(?:(?!<a:tbl>)[\s\S])*?<\/a:tbl>/g
const properties = /<a:tblPr\b[^<>]* rtl="(?:1|true)"[^<>]*>/
const columns = /(?:<a:gridCol\b[^<>]*(?:\/>|[^/]>(?:(?!<a:gridCol\b)[\s\S])*?<\/a:gridCol>)\s*)+/
const column = /<a:gridCol\b[^<>]*(?:\/>|[^/]>(?:(?!<a:gridCol\b)[\s\S])*?<\/a:gridCol>)/g
const row = /<a:tr\b[^<>]*>(?:(?!<a:tr\b)[\s\S])*?<\/a:tr>/g
const cell = /<a:tc(?: [^<>]*)?(?:\/>|>(?:(?!<a:tc[ >])[\s\S])*?<\/a:tc>)/g

/** The slides that change. */
export function turnTables({ slides }: Deck): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [name, xml] of slides) {
    const turned = xml.replaceAll(table, turn)
    if (turned !== xml) changed.set(name, turned)
  }
  return changed
}

function turn(xml: string): string {
  const [own] = properties.exec(xml) ?? []
  if (own === undefined) return xml
  return xml
    .replace(own, () => withSidesSwapped(own))
    .replace(columns, (found) => (found.match(column) ?? []).reverse().join(''))
    .replaceAll(row, turnRow)
}

/** The first column of a style is the rightmost one, too. */
const withSidesSwapped = (own: string): string =>
  own
    .replace(/ rtl="[^"]*"/, '')
    .replaceAll(/ (first|last)Col=/g, (_, side: string) => (side === 'first' ? ' lastCol=' : ' firstCol='))

function turnRow(xml: string): string {
  const cells = [...xml.matchAll(cell)]
  const [first, last] = [cells[0], cells.at(-1)]
  if (!first || !last) return xml
  const joined: string[][] = []
  for (const [each] of cells) {
    const group = joined.at(-1)
    if (group && /^<a:tc [^<>]*\bhMerge="(?:1|true)"/.test(each)) group.push(each)
    else joined.push([each])
  }
  return xml.slice(0, first.index) + joined.reverse().flat().join('') + xml.slice(last.index + last[0].length)
}
