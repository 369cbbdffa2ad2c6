import { childOf, readTree, type XmlElement, type XmlNode } from '../../../package/edit-xml.ts'

// The font that a run has for one kind of characters: its own, that of its character style, of its paragraph's style and
// of the document's defaults, in this order.

type Attributes = XmlElement['attributes']
type Slot = 'ascii' | 'eastAsia'

/** A family, or the name of one of the theme's fonts. */
export interface FontReference {
  theme?: string
  family?: string
}

export interface RunStyles {
  /** Attributes of the run's own `w:rFonts`. */
  fonts?: Attributes | undefined
  runStyle?: string | undefined
  paragraphStyle?: string | undefined
}

export type FontOf = (run: RunStyles, slot: Slot) => FontReference | undefined

interface Style {
  basedOn: string | undefined
  fonts: Attributes | undefined
}

const maxDepth = 20

/** `xml` is the part `word/styles.xml`. */
export function createFontResolver(xml: string): FontOf {
  const root = readTree(xml)
  const styles = new Map<string, Style>()
  let defaultStyle: string | undefined
  for (const node of root?.children ?? []) {
    if (node.name !== 'w:style') continue
    const id = node.attributes['w:styleId'] ?? ''
    styles.set(id, {
      basedOn: childOf(node, 'w:basedOn')?.attributes['w:val'],
      fonts: fontsIn(node),
    })
    if (node.attributes['w:type'] === 'paragraph' && node.attributes['w:default'] === '1') defaultStyle = id
  }
  const defaults = fontsIn(childOf(childOf(root, 'w:docDefaults'), 'w:rPrDefault'))
  const inStyle = (id: string | undefined, slot: Slot): FontReference | undefined => {
    let style = id
    for (let depth = 0; style !== undefined && depth < maxDepth; depth += 1) {
      const found = referenceIn(styles.get(style)?.fonts, slot)
      if (found) return found
      style = styles.get(style)?.basedOn
    }
    return undefined
  }
  return ({ fonts, runStyle, paragraphStyle }, slot) =>
    referenceIn(fonts, slot) ??
    inStyle(runStyle, slot) ??
    inStyle(paragraphStyle ?? defaultStyle, slot) ??
    referenceIn(defaults, slot)
}

const fontsIn = (node: XmlNode | undefined): Attributes | undefined =>
  childOf(childOf(node, 'w:rPr'), 'w:rFonts')?.attributes

function referenceIn(fonts: Attributes | undefined, slot: Slot): FontReference | undefined {
  const theme = fonts?.[`w:${slot}Theme`]
  const family = fonts?.[`w:${slot}`]
  return theme !== undefined ? { theme } : family === undefined ? undefined : { family }
}
