import { childOf, descendants, readTree, type XmlNode } from '../../../../package/edit-xml.ts'
import { type Deck, relatedPart } from '../deck.ts'
import { type Scheme, schemeOf } from './colour.ts'

// The theme of a slide, with its styles and colours, and the placeholders of its layout. Each is parsed once,
// regardless of the number of slides and shapes.

export interface Theme {
  scheme: Scheme
  /** Effect lists by style index minus one. */
  effects: readonly (XmlNode | undefined)[]
  /** Lines by the same index. */
  lines: readonly XmlNode[]
}

export interface Behind {
  theme: Theme
  placeholders: readonly Placeholder[]
}

export interface Placeholder {
  index: string
  type: string
  properties: XmlNode | undefined
  /** XML of its effect list. */
  effects: string | undefined
}

const maxPlaceholders = 100

/** The placeholder element of a shape, on a slide or in a layout. */
export function placeOf(shape: XmlNode): XmlNode | undefined {
  for (const child of shape.children)
    if (child.name.startsWith('p:nv'))
      for (const node of descendants(child)) if (node.name === 'p:ph') return node
  return undefined
}

export const findPlaceholder = (
  placeholders: readonly Placeholder[],
  { attributes }: XmlNode,
): Placeholder | undefined =>
  placeholders.find(({ index }) => index !== '' && index === attributes.idx) ??
  placeholders.find(({ type }) => type !== '' && type === attributes.type)

export function readBehind(deck: Deck): (part: string) => Behind {
  const known = new Map<string, Behind>()
  const themes = new Map<string, Theme>()
  return (part) => {
    const layout = relatedPart(deck.relations, part, 'slideLayout') ?? part
    const master = relatedPart(deck.relations, layout, 'slideMaster') ?? layout
    const theme = themes.get(master) ?? themeOf(master, deck)
    const found = known.get(layout) ?? { theme, placeholders: placesIn(layout, deck) }
    themes.set(master, theme)
    known.set(layout, found)
    return found
  }
}

function themeOf(master: string, deck: Deck): Theme {
  const elements = childOf(
    readTree(deck.themes.get(relatedPart(deck.relations, master, 'theme') ?? '') ?? ''),
    'a:themeElements',
  )
  const formats = childOf(elements, 'a:fmtScheme')
  const styles = childOf(formats, 'a:effectStyleLst')?.children ?? []
  const map = childOf(readTree(deck.backgrounds.get(master) ?? ''), 'p:clrMap')
  return {
    scheme: schemeOf(childOf(elements, 'a:clrScheme'), map),
    effects: styles.map((style) => childOf(style, 'a:effectLst')),
    lines: childOf(formats, 'a:lnStyleLst')?.children ?? [],
  }
}

function placesIn(layout: string, deck: Deck): Placeholder[] {
  const found: Placeholder[] = []
  const xml = deck.backgrounds.get(layout) ?? ''
  const root = readTree(xml)
  if (!root) return found
  for (const node of descendants(root)) {
    if (node.name !== 'p:sp' && node.name !== 'p:pic') continue
    const place = placeOf(node)
    if (!place || found.length >= maxPlaceholders) continue
    const properties = childOf(node, 'p:spPr')
    const effects = childOf(properties, 'a:effectLst')
    found.push({
      index: place.attributes.idx ?? '',
      type: place.attributes.type ?? '',
      properties,
      effects: effects && xml.slice(effects.start, effects.closeEnd),
    })
  }
  return found
}
