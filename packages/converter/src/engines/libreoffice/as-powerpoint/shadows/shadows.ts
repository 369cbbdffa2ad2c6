import { attribute, type Deck, relationsOf } from '../deck.ts'
import { createPictures } from './picture.ts'
import { effectsIn, formOf, propertiesOf, type Scale, withEffects, withoutStyleEffects } from './shape.ts'
import { findPlaceholder, placeOf, readBehind } from './theme.ts'

// LibreOffice draws each blurred shadow with up to 250,000 dots, every time it is shown: a quarter of the time of a
// full deck. So the shadow of a usual shape becomes a small picture behind it, as PowerPoint prints it. Shapes that
// show what is behind them, rare outlines and whatever is not understood here are left to LibreOffice.
//
// A shape's own list of effects, also an empty one, replaces those of its style and of the placeholder whose place it
// takes. LibreOffice adds them up. So what a shape inherits is written into the shape itself and nowhere else.

const token =
  /<p:grpSp>|<\/p:grpSp>|<p:grpSpPr\b[^<>]*>(?:\s*<a:xfrm\b[^<>]*>(?:\s*<a:(?:off|ext|chOff|chExt)\b[^<>]*>){4})?|<p:(sp|cxnSp|pic)(?=[ >])(?:(?!<p:\1[ >])[\s\S])*?<\/p:\1>/g

const mostPlaced = 2000
// A list that many shapes inherit may be as long as its author likes.
const mostInherited = 4_000_000

/** The parts that change, and the pictures. */
export function paintShadows(deck: Deck, contentTypes: string | undefined): Map<string, string | Buffer> {
  const changed = new Map<string, string | Buffer>()
  const pictures = createPictures()
  const behind = readBehind(deck)
  let placed = 0
  let inheritedLength = 0
  for (const [name, xml] of [...deck.slides, ...deck.backgrounds]) {
    const relations = deck.relations.get(relationsOf(name))
    const mayPaint = contentTypes !== undefined && relations !== undefined && !xml.includes('/purl.oclc.org/')
    const { theme, placeholders } = behind(name)
    const isSlide = deck.slides.has(name)
    const ids = new Map<string, string>()
    const groups: (Scale | undefined)[] = [{ x: 1, y: 1 }]
    const painted = xml.replaceAll(token, (found, kind?: string) => {
      if (kind === undefined) followGroup(groups, found)
      if (kind === undefined) return found
      const place = placeOf(found)
      // A placeholder itself is not displayed.
      if (place && !isSlide)
        return effectsIn(propertiesOf(found)) ? withEffects(found, '<a:effectLst/>') : found
      const inherited = (place && findPlaceholder(placeholders, place)?.properties) ?? ''
      const effects = effectsIn(inherited)
      const hasOwn = effectsIn(propertiesOf(found)) !== undefined
      if (!hasOwn) inheritedLength += effects?.length ?? 0
      if (inheritedLength > mostInherited) return found
      const shape = hasOwn || effects === undefined ? withoutStyleEffects(found) : withEffects(found, effects)
      const form =
        kind === 'sp' && mayPaint && placed < mostPlaced
          ? formOf(shape, inherited, theme, groups.at(-1))
          : undefined
      const picture = form && pictures.pictureOf(form)
      if (!picture) return shape
      placed += 1
      const id = ids.get(picture.name) ?? `kilnShadow${ids.size + 1}`
      ids.set(picture.name, id)
      const [x, y] = [form.x + picture.left / form.scale.x, form.y + picture.top / form.scale.y]
      const [width, height] = [picture.width / form.scale.x, picture.height / form.scale.y]
      return pictureElement(id, x, y, width, height) + withEffects(shape, '<a:effectLst/>')
    })
    if (painted !== xml) changed.set(name, painted)
    if (ids.size > 0 && relations !== undefined)
      changed.set(relationsOf(name), relations.replace('</Relationships>', `${relationElements(ids)}$&`))
  }
  if (pictures.files.size > 0 && contentTypes !== undefined && !/Extension="png"/i.test(contentTypes))
    changed.set('[content_types].xml', contentTypes.replace(/<Types\b[^<>]*>/, `$&${pngType}`))
  return new Map([...changed, ...pictures.files])
}

/** What the innermost group's units are on the slide comes last; none where a group is turned or does not say. */
function followGroup(groups: (Scale | undefined)[], found: string): void {
  if (found === '<p:grpSp>') groups.push(undefined)
  // The slide itself has the properties of a group.
  else if (groups.length > 1 && found === '</p:grpSp>') groups.pop()
  else if (groups.length > 1 && found.includes('<a:xfrm')) groups.splice(-1, 1, scaleOf(found, groups.at(-2)))
}

function scaleOf(properties: string, around: Scale | undefined): Scale | undefined {
  const lengths = (name: string) => {
    const element = new RegExp(`<a:${name}\\b[^<>]*>`).exec(properties)?.[0] ?? ''
    return [Number(attribute(element, 'cx')), Number(attribute(element, 'cy'))] as const
  }
  const [outer, inner] = [lengths('ext'), lengths('chExt')]
  const isStraight = !/<a:xfrm[^<>]* (?:rot|flipH|flipV)="(?!0"|false")/.test(properties)
  return around && isStraight && Math.min(...outer, ...inner) > 0
    ? { x: (around.x * outer[0]) / inner[0], y: (around.y * outer[1]) / inner[1] }
    : undefined
}

const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const pngType = '<Default Extension="png" ContentType="image/png"/>'

const relationElements = (ids: ReadonlyMap<string, string>): string =>
  Array.from(
    ids,
    ([name, id]) => `<Relationship Id="${id}" Type="${relationType}/image" Target="/${name}"/>`,
  ).join('')

// Screen readers ignore it: it belongs to the shape.
const decorative =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative ' +
  'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'

const pictureElement = (id: string, x: number, y: number, width: number, height: number): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="0" name="">${decorative}</p:cNvPr><p:cNvPicPr/><p:nvPr/></p:nvPicPr>` +
  `<p:blipFill><a:blip xmlns:r="${relationType}" r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
  `<p:spPr><a:xfrm><a:off x="${Math.round(x)}" y="${Math.round(y)}"/>` +
  `<a:ext cx="${Math.max(1, Math.round(width))}" cy="${Math.max(1, Math.round(height))}"/></a:xfrm>` +
  '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
