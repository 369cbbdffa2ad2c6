import { childOf, readTree, type XmlElement, type XmlNode } from '../../../package/edit-xml.ts'

// Parses run and paragraph properties in `word/styles.xml`. A property that a run does not set is inherited from its
// character style, its paragraph style, its table style, or the document defaults, in this order.

export type Attributes = XmlElement['attributes']
/** Attributes of the elements in `w:rPr` or `w:pPr`, by name. */
export type Properties = ReadonlyMap<string, Attributes>

export interface Styles {
  runStyle?: string | undefined
  paragraphStyle?: string | undefined
  tableStyle?: string | undefined
  /** The parts of a table that the text is in, such as `firstRow`. */
  tableParts?: readonly string[] | undefined
}

export interface StyleSheet {
  /** The first value that `read` returns for the run properties. */
  ofRun<T>(styles: Styles, read: (properties: Properties) => T | undefined): T | undefined
  ofParagraph<T>(styles: Styles, read: (properties: Properties) => T | undefined): T | undefined
  ofTable<T>(style: string | undefined, read: (properties: XmlNode) => T | undefined): T | undefined
}

interface Style {
  basedOn: string | undefined
  run: Properties
  paragraph: Properties
  table: XmlNode | undefined
  parts: ReadonlyMap<string, Properties>
}

const maxDepth = 20

export function readStyleSheet(xml: string): StyleSheet {
  const root = readTree(xml)
  const all = new Map<string, Style>()
  const defaultStyles = new Map<string, string>()
  for (const node of root?.children ?? []) {
    if (node.name !== 'w:style') continue
    const id = node.attributes['w:styleId'] ?? ''
    all.set(id, readStyle(node))
    if (node.attributes['w:default'] === '1') defaultStyles.set(node.attributes['w:type'] ?? '', id)
  }
  const defaults = childOf(root, 'w:docDefaults')
  const runDefaults = propertiesIn(childOf(defaults, 'w:rPrDefault'), 'w:rPr')
  const paragraphDefaults = propertiesIn(childOf(defaults, 'w:pPrDefault'), 'w:pPr')

  function first<T>(id: string | undefined, read: (style: Style) => T | undefined): T | undefined {
    let style = id === undefined ? undefined : all.get(id)
    for (let depth = 0; style && depth < maxDepth; depth += 1) {
      const found = read(style)
      if (found !== undefined) return found
      style = style.basedOn === undefined ? undefined : all.get(style.basedOn)
    }
    return undefined
  }
  const tableOf = (id: string | undefined) => id ?? defaultStyles.get('table')
  return {
    ofRun({ runStyle, paragraphStyle, tableStyle, tableParts = [] }, read) {
      const inPart = ({ parts }: Style) => {
        for (const name of tableParts) {
          const found = read(parts.get(name) ?? none)
          if (found !== undefined) return found
        }
        return undefined
      }
      return (
        first(runStyle, ({ run }) => read(run)) ??
        first(paragraphStyle ?? defaultStyles.get('paragraph'), ({ run }) => read(run)) ??
        first(tableStyle, inPart) ??
        first(tableStyle, ({ run }) => read(run)) ??
        read(runDefaults)
      )
    },
    ofParagraph: ({ paragraphStyle, tableStyle }, read) =>
      first(paragraphStyle ?? defaultStyles.get('paragraph'), ({ paragraph }) => read(paragraph)) ??
      first(tableStyle, ({ paragraph }) => read(paragraph)) ??
      read(paragraphDefaults),
    ofTable: (style, read) => first(tableOf(style), ({ table }) => (table ? read(table) : undefined)),
  }
}

const none: Properties = new Map()

const readStyle = (node: XmlNode): Style => ({
  basedOn: childOf(node, 'w:basedOn')?.attributes['w:val'],
  run: propertiesIn(node, 'w:rPr'),
  paragraph: propertiesIn(node, 'w:pPr'),
  table: childOf(node, 'w:tblPr'),
  parts: new Map(
    node.children
      .filter(({ name }) => name === 'w:tblStylePr')
      .map((part) => [part.attributes['w:type'] ?? '', propertiesIn(part, 'w:rPr')]),
  ),
})

function propertiesIn(node: XmlNode | undefined, name: 'w:rPr' | 'w:pPr'): Properties {
  const found = childOf(node, name)
  return found ? new Map(found.children.map((child) => [child.name, child.attributes])) : none
}
