import {
  childOf,
  descendants,
  editTree,
  visitXml,
  type XmlEditor,
  type XmlNode,
} from '../../../package/edit-xml.ts'
import type { Attributes } from './style-sheet.ts'
import { sectionWidth } from './tables/section-width.ts'
import type { WordDocument } from './word-document.ts'

// Headers and footers from Word's gallery have up to three columns, separated by tabs that are aligned to the middle and
// the end of the text area (`w:ptab`). LibreOffice reads these as ordinary tabs, which stop where the style of headers
// has its tab stops: often those of portrait paper. So such a paragraph gets tab stops of its own.

export const hasAlignedTabs = (xml: string): boolean => xml.includes('<w:ptab ')

/** Width of the text area in twips, if it is the same in all sections of `word/document.xml`. */
export function textWidthOf(body: string): number | undefined {
  const sections: Map<string, Attributes>[] = []
  visitXml(body, ({ name, attributes }) => {
    if (name === 'w:sectPr') sections.push(new Map())
    else if (name === 'w:pgSz' || name === 'w:pgMar') sections.at(-1)?.set(name, attributes)
  })
  const widths = new Set(sections.map(sectionWidth))
  return widths.size === 1 ? [...widths][0] : undefined
}

/** Positions of the tab stops in `word/styles.xml`. */
export const tabStopsOf = (styles: string): ReadonlySet<string> =>
  new Set(Array.from(styles.matchAll(/<w:tab\s[^<>]*w:pos="(-?\d{1,6})"/g), ([, position = '']) => position))

/** Edits a header or footer. */
export const alignTabs = (xml: string, document: WordDocument): string =>
  editTree(xml, (root, editor) => {
    const width = document.textWidth()
    if (width === undefined) return
    const waiting = [root]
    for (let node = waiting.pop(); node; node = waiting.pop())
      if (node.name === 'w:p') alignParagraph(node, width, document.tabStops(), editor)
      else if (node.name !== 'w:tbl') waiting.push(...node.children)
  })

/** Cells and text boxes have their own widths. */
function alignParagraph(
  paragraph: XmlNode,
  width: number,
  inherited: ReadonlySet<string>,
  editor: XmlEditor,
): void {
  const content = [...descendants(paragraph)]
  const tabs = content.filter(({ name }) => name === 'w:ptab')
  const runs = content.filter(({ name }) => name === 'w:r')
  if (runs.some((run) => childOf(run, 'w:tab')) || content.some(({ name }) => name === 'w:txbxContent'))
    return
  const stops = new Map<string, string>()
  for (const { attributes } of tabs) {
    const alignment = attributes['w:alignment'] ?? ''
    if (attributes['w:relativeTo'] !== 'margin' || !/^(?:center|right)$/.test(alignment)) return
    const leader = /^\w{1,20}$/.exec(attributes['w:leader'] ?? '')?.[0] ?? 'none'
    const position = String(alignment === 'center' ? Math.round(width / 2) : width)
    stops.set(position, `<w:tab w:val="${alignment}" w:leader="${leader}" w:pos="${position}"/>`)
  }
  if (tabs.length === 0) return
  for (const position of inherited)
    if (!stops.has(position)) stops.set(position, `<w:tab w:val="clear" w:pos="${position}"/>`)
  setStops(paragraph, `<w:tabs>${[...stops.values()].join('')}</w:tabs>`, editor)
  for (const { start, closeEnd } of tabs) editor.replace(start, closeEnd, '<w:tab/>')
}

function setStops(paragraph: XmlNode, stops: string, editor: XmlEditor): void {
  const properties = childOf(paragraph, 'w:pPr')
  const own = childOf(properties, 'w:tabs')
  if (own) editor.replace(own.start, own.closeEnd, stops)
  else if (properties && !properties.isSelfClosing)
    editor.replace(properties.closeStart, properties.closeStart, stops)
  else
    editor.replace(
      properties?.start ?? paragraph.end,
      properties?.end ?? paragraph.end,
      `<w:pPr>${stops}</w:pPr>`,
    )
}
