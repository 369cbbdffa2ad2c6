import { childOf, descendants, readTree, type XmlNode } from '../../../package/edit-xml.ts'
import { type Deck, percentOf, relatedPart } from './deck.ts'

// Inherited font size and spacing of text: from the shape's list style, the placeholders of the layout and the master,
// the master's text styles, and the deck.

export interface TextStyles {
  /** In hundredths of a point. */
  sizeAt(level: number): number
  /** Line spacing in percent; undefined if it is in points. */
  spacingAt(level: number): number | undefined
}

const defaultSize = 1800
const ownStyle: Readonly<Record<string, string>> = {
  dt: 'otherStyle',
  ftr: 'otherStyle',
  sldNum: 'otherStyle',
}

interface Placeholder {
  type: string
  index: string
  style: XmlNode | undefined
}

interface Background {
  placeholders: readonly Placeholder[]
  /** Text styles of a master: `p:titleStyle`, `p:bodyStyle` and `p:otherStyle`. */
  styles: XmlNode | undefined
}

/** Layouts and masters are parsed on demand, and once. */
export function readTextStyles(
  deck: Deck,
  presentation: XmlNode | undefined,
): (part: string, shape: XmlNode) => TextStyles {
  const defaults = childOf(presentation, 'p:defaultTextStyle')
  const known = new Map<string, Background>()
  const read = (part: string | undefined): Background => {
    const found = known.get(part ?? '') ?? readBackground(deck.backgrounds.get(part ?? '') ?? '')
    known.set(part ?? '', found)
    return found
  }
  const behind = new Map<string, { layout: Background; master: Background }>()
  const readBehind = (part: string) => {
    const layout = deck.backgrounds.has(part) ? part : relatedPart(deck.relations, part, 'slideLayout')
    const master = relatedPart(deck.relations, layout ?? '', 'slideMaster') ?? layout
    return { layout: read(layout), master: read(master) }
  }
  return (part, shape) => {
    const { layout, master } = behind.get(part) ?? readBehind(part)
    behind.set(part, { layout, master })
    const own = listStyleOf(shape)
    const place = placeholderIn(shape)
    if (!place) return stylesOf([own, defaults, childOf(master.styles, 'p:otherStyle')])
    const kind = kindOf(place.type)
    return stylesOf([
      own,
      matching(layout, place)?.style,
      master.placeholders.find(({ type }) => kindOf(type) === kind)?.style,
      childOf(master.styles, `p:${ownStyle[kind] ?? `${kind}Style`}`),
      defaults,
    ])
  }
}

/** Sizes of the deck's default style, which tables use. */
export const readDeckStyles = (presentation: XmlNode | undefined): TextStyles =>
  stylesOf([childOf(presentation, 'p:defaultTextStyle')])

const stylesOf = (chain: readonly (XmlNode | undefined)[]): TextStyles => {
  const first = <T>(level: number, read: (properties: XmlNode) => T | undefined): T | undefined => {
    for (const style of chain) {
      const properties = childOf(style, `a:lvl${level + 1}pPr`) ?? childOf(style, 'a:defPPr')
      const found = properties && read(properties)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    sizeAt: (level) => first(level, (properties) => sizeOf(childOf(properties, 'a:defRPr'))) ?? defaultSize,
    spacingAt(level) {
      const spacing = first(level, (properties) => childOf(properties, 'a:lnSpc'))
      return spacing ? percentIn(spacing) : 100
    },
  }
}

/** In hundredths of a point. */
export function sizeOf(properties: XmlNode | undefined): number | undefined {
  const size = properties?.attributes.sz ?? ''
  return /^\d{3,6}$/.test(size) ? Number(size) : undefined
}

/** The spacing in percent; undefined if it is in points. */
export const percentIn = (spacing: XmlNode): number | undefined =>
  percentOf(childOf(spacing, 'a:spcPct')?.attributes.val)

/** From 0. */
export function levelOf(paragraph: XmlNode): number {
  const level = childOf(paragraph, 'a:pPr')?.attributes.lvl ?? ''
  return /^[0-8]$/.test(level) ? Number(level) : 0
}

function readBackground(xml: string): Background {
  const placeholders: Placeholder[] = []
  const root = readTree(xml)
  if (root)
    for (const node of descendants(root)) {
      const place = node.name === 'p:sp' ? placeholderIn(node) : undefined
      if (place && placeholders.length < maxPlaceholders)
        placeholders.push({ ...place, style: listStyleOf(node) })
    }
  return { placeholders, styles: childOf(root, 'p:txStyles') }
}

const maxPlaceholders = 100

const listStyleOf = (shape: XmlNode): XmlNode | undefined => childOf(childOf(shape, 'p:txBody'), 'a:lstStyle')

function placeholderIn(shape: XmlNode): { type: string; index: string } | undefined {
  const place = childOf(childOf(childOf(shape, 'p:nvSpPr'), 'p:nvPr'), 'p:ph')
  return place && { type: place.attributes.type ?? 'obj', index: place.attributes.idx ?? '' }
}

const matching = (
  { placeholders }: Background,
  place: { type: string; index: string },
): Placeholder | undefined =>
  placeholders.find(({ index }) => index !== '' && index === place.index) ??
  placeholders.find(({ type }) => type === place.type)

/** Which text style of the master applies. */
const kindOf = (type: string): string =>
  type === 'title' || type === 'ctrTitle' ? 'title' : Object.hasOwn(ownStyle, type) ? type : 'body'
