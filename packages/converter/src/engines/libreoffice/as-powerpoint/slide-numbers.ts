import { attribute, type Deck, relatedPart, relationTargets } from './deck.ts'

// A deck may count from another number than 1, mostly from 0 so that its title does not count. LibreOffice counts from
// 1 always. So in such a deck the numbers are made text. Where the layout or the master bears the number, in a shape
// that is no placeholder, every slide gets that shape in their place.

/** The parts that change. */
export function numberSlides(deck: Deck): Map<string, string> {
  const first = Number(/<p:presentation\b[^<>]* firstSlideNum="(\d{1,5})"/.exec(deck.presentation)?.[1] ?? 1)
  const changed = new Map<string, string>()
  if (first === 1) return changed
  const shapes = new Map([...deck.backgrounds].map(([name, xml]) => [name, numberedShapes(xml)]))
  const targets = relationTargets(deck.relations.get('ppt/_rels/presentation.xml.rels'), 'ppt/')
  for (const [index, [slide]] of [...deck.presentation.matchAll(/<p:sldId\b[^<>]*>/g)].entries()) {
    const name = targets.get(attribute(slide, 'r:id'))?.name ?? ''
    const xml = deck.slides.get(name)
    if (xml === undefined || changed.has(name)) continue
    const behind = backgroundsOf(name, xml, deck)
      .map((background) => shapes.get(background) ?? '')
      .join('')
    const numbered = putBehind(xml, behind).replaceAll(numberField, (_, inner: string) =>
      asText(inner, first + index),
    )
    if (numbered !== xml) changed.set(name, numbered)
  }
  for (const [name, xml] of deck.backgrounds) {
    if (shapes.get(name))
      changed.set(
        name,
        xml.replaceAll(shape, (found) => (isNumbered(found) ? '' : found)),
      )
  }
  return changed
}

/** What shows through behind a slide, the farthest first. */
function backgroundsOf(slide: string, xml: string, { relations, backgrounds }: Deck): string[] {
  const hidesMaster = (part: string) => /<p:(?:sld|sldLayout)\b[^<>]* showMasterSp="(?:0|false)"/.test(part)
  const related = (part: string, type: string) => relatedPart(relations, part, type)
  const layout = hidesMaster(xml) ? undefined : related(slide, 'slideLayout')
  const layoutXml = layout === undefined ? undefined : backgrounds.get(layout)
  if (layout === undefined || layoutXml === undefined) return []
  const master = hidesMaster(layoutXml) ? undefined : related(layout, 'slideMaster')
  return master === undefined ? [layout] : [master, layout]
}

// An element ends before the next one begins: a search that looked further would take the square of the file's length.
const shape = /<p:sp\b[^<>]*>(?:(?!<p:sp\b)[\s\S])*?<\/p:sp>/g

/** Not with a picture or a link of its own, which the slide does not know. */
const isNumbered = (found: string): boolean =>
  / type="slidenum"/.test(found) && !/<p:ph\b| r:(?:embed|id|link)="./.test(found)

// Every slide gets them.
const maxShapesLength = 64 * 1024

/** Empty where there are none. */
function numberedShapes(xml: string): string {
  const found = Array.from(xml.matchAll(shape), ([each]) => each).filter(isNumbered)
  const length = found.reduce((sum, each) => sum + each.length, 0)
  return length > maxShapesLength ? '' : found.join('')
}

/** Before the first thing on the slide. */
function putBehind(slide: string, shapes: string): string {
  const tree = slide.indexOf('<p:spTree>')
  const properties = ['<p:grpSpPr/>', '</p:grpSpPr>'].map((end) => ({ end, at: slide.indexOf(end, tree) }))
  const [nearest] = properties.filter(({ at }) => at !== -1).sort((a, b) => a.at - b.at)
  if (tree === -1 || !nearest) return slide
  const at = nearest.at + nearest.end.length
  return slide.slice(0, at) + shapes + slide.slice(at)
}

const numberField = /<a:fld\b[^<>]* type="slidenum"[^<>]*>((?:(?!<a:fld\b)[\s\S])*?)<\/a:fld>/g

/** A run has no properties of a paragraph, and a field may. */
const asText = (inner: string, number: number): string => {
  const properties = /<a:rPr\b[^<>]*\/>|<a:rPr\b(?:(?!<a:rPr\b)[\s\S])*?<\/a:rPr>/.exec(inner)?.[0] ?? ''
  return `<a:r>${properties}<a:t>${number}</a:t></a:r>`
}
