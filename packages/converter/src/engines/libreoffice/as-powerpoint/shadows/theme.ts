import { attribute, type Deck, relatedPart } from '../deck.ts'
import { type Scheme, schemeOf } from './colour.ts'
import { effectsIn, propertiesOf } from './shape.ts'

// What stands behind a slide: the theme that styles and colours are from, and the places of its layout. Each is read
// once, however many slides and shapes there are.

export interface Theme {
  scheme: Scheme
  /** Lists of effects by the number that styles have, less one. */
  effects: readonly string[]
  /** The start of each line's element, by the same. */
  lines: readonly string[]
}

export interface Behind {
  theme: Theme
  placeholders: readonly Placeholder[]
}

interface Placeholder {
  index: string
  type: string
  properties: string
}

const mostPlaceholders = 100
const shape = /<p:(sp|pic)(?=[ >])(?:(?!<p:\1[ >])[\s\S])*?<\/p:\1>/g

/** The element by which a shape says whose place it takes, or that it is a place. */
export const placeOf = (found: string): string | undefined => /<p:ph\b[^<>]*>/.exec(found)?.[0]

export const findPlaceholder = (
  placeholders: readonly Placeholder[],
  place: string,
): Placeholder | undefined =>
  placeholders.find(({ index }) => index !== '' && index === attribute(place, 'idx')) ??
  placeholders.find(({ type }) => type !== '' && type === attribute(place, 'type'))

export function readBehind(deck: Deck): (part: string) => Behind {
  const known = new Map<string, Behind>()
  return (part) => {
    const layout = relatedPart(deck.relations, part, 'slideLayout') ?? part
    const found = known.get(layout) ?? { theme: themeOf(layout, deck), placeholders: placesIn(layout, deck) }
    known.set(layout, found)
    return found
  }
}

function themeOf(layout: string, deck: Deck): Theme {
  const master = relatedPart(deck.relations, layout, 'slideMaster') ?? layout
  const xml = deck.themes.get(relatedPart(deck.relations, master, 'theme') ?? '') ?? ''
  const inside = (list: string) =>
    new RegExp(`<a:${list}\\b[^<>]*>[\\s\\S]*?</a:${list}>`).exec(xml)?.[0] ?? ''
  const map = /<p:clrMap\b[^<>]*>/.exec(deck.backgrounds.get(master) ?? '')?.[0] ?? ''
  const styles = inside('effectStyleLst').match(/<a:effectStyle>[\s\S]*?<\/a:effectStyle>/g) ?? []
  return {
    scheme: schemeOf(inside('clrScheme'), map),
    effects: styles.map((style) => effectsIn(style) ?? ''),
    lines: inside('lnStyleLst').match(/<a:ln\b[^<>]*>/g) ?? [],
  }
}

function placesIn(layout: string, deck: Deck): Placeholder[] {
  const found: Placeholder[] = []
  for (const [each] of (deck.backgrounds.get(layout) ?? '').matchAll(shape)) {
    const place = placeOf(each)
    if (place !== undefined && found.length < mostPlaceholders)
      found.push({
        index: attribute(place, 'idx'),
        type: attribute(place, 'type'),
        properties: propertiesOf(each),
      })
  }
  return found
}
