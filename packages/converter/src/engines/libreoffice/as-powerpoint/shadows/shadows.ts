import { childOf, type XmlEditor, type XmlNode } from '../../../../package/edit-xml.ts'
import { type Deck, relationsOf } from '../deck.ts'
import { createPictures } from './picture.ts'
import {
  effectsIn,
  formOf,
  lengthOf,
  mayHaveShadow,
  removeStyleEffects,
  type Scale,
  setEffects,
} from './shape.ts'
import { type Behind, findPlaceholder, placeOf, readBehind } from './theme.ts'

// LibreOffice draws each blurred shadow with up to 250,000 pixels, every time it is shown: a quarter of the time of a
// full deck. So the shadow of a common shape becomes a small picture behind it, as in PowerPoint's own PDF export.
// Transparent shapes, unsupported outlines and unsupported effects are left to LibreOffice.
//
// A shape's own effect list, even an empty one, replaces those of its style and of its placeholder. LibreOffice adds
// them up. So the effects that a shape inherits are written into the shape itself and removed everywhere else.

const maxPlaced = 2000
// The size of a list that many shapes inherit is not limited by the format.
const maxInherited = 4_000_000

export interface ShadowPainter {
  paintPart(name: string, root: XmlNode, editor: XmlEditor): void
  /** The pictures, and the relationship parts that refer to them. */
  finish(): Map<string, string | Buffer>
}

export function createShadowPainter(deck: Deck, contentTypes: string | undefined): ShadowPainter {
  const changed = new Map<string, string | Buffer>()
  const painter = createPainter()
  const behind = readBehind(deck)
  return {
    paintPart(name, root, editor) {
      const relations = deck.relations.get(relationsOf(name))
      const ids = new Map<string, string>()
      const isStrict = Object.values(root.attributes).some((value) => value.includes('/purl.oclc.org/'))
      const mayPaint = contentTypes !== undefined && relations !== undefined && !isStrict
      const part = { behind: () => behind(name), isSlide: deck.slides.has(name), mayPaint, ids }
      for (const { shape, scale } of shapesIn(root)) painter.paint(shape, scale, part, editor)
      if (ids.size > 0 && relations !== undefined)
        changed.set(relationsOf(name), relations.replace('</Relationships>', `${relationElements(ids)}$&`))
    },
    finish() {
      if (painter.files.size > 0 && contentTypes !== undefined && !/Extension="png"/i.test(contentTypes))
        changed.set('[content_types].xml', contentTypes.replace(/<Types\b[^<>]*>/, `$&${pngType}`))
      return new Map([...changed, ...painter.files])
    },
  }
}

interface Part {
  /** Loaded on demand. */
  behind: () => Behind
  isSlide: boolean
  /** Whether the part can refer to pictures. */
  mayPaint: boolean
  /** Ids of the part's relationships to pictures, by the picture's name. */
  ids: Map<string, string>
}

function createPainter() {
  const pictures = createPictures()
  let placed = 0
  let inheritedLength = 0
  return {
    files: pictures.files,
    paint(shape: XmlNode, scale: Scale | undefined, part: Part, editor: XmlEditor): void {
      const { behind, isSlide, mayPaint, ids } = part
      const place = placeOf(shape)
      const hasOwn = effectsIn(shape) !== undefined
      // A placeholder itself is not visible.
      if (place && !isSlide) {
        if (hasOwn) setEffects(shape, noEffects, editor)
        return
      }
      const inherited = place && findPlaceholder(behind().placeholders, place)
      if (!hasOwn) inheritedLength += inherited?.effects?.length ?? 0
      if (inheritedLength > maxInherited) return
      const form =
        shape.name === 'p:sp' && mayPaint && placed < maxPlaced && mayHaveShadow(shape, inherited?.effects)
          ? formOf(shape, inherited?.properties, behind().theme, scale)
          : undefined
      const picture = form && pictures.pictureOf(form)
      if (!picture) {
        if (hasOwn) removeStyleEffects(shape, editor)
        else if (inherited?.effects !== undefined) setEffects(shape, inherited.effects, editor)
        return
      }
      placed += 1
      const id = ids.get(picture.name) ?? `kilnShadow${ids.size + 1}`
      ids.set(picture.name, id)
      const [x, y] = [form.x + picture.left / form.scale.x, form.y + picture.top / form.scale.y]
      const [width, height] = [picture.width / form.scale.x, picture.height / form.scale.y]
      editor.replace(shape.start, shape.start, pictureElement(id, x, y, width, height))
      setEffects(shape, noEffects, editor)
    },
  }
}

const noEffects = '<a:effectLst/>'
const shapeNames = new Set(['p:sp', 'p:cxnSp', 'p:pic'])

/** Yields shapes with the scale of the groups around them; undefined if a group is rotated or has no transform. */
function* shapesIn(root: XmlNode): Generator<{ shape: XmlNode; scale: Scale | undefined }> {
  const waiting: { node: XmlNode; scale: Scale | undefined }[] = [{ node: root, scale: { x: 1, y: 1 } }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, scale } = next
    if (shapeNames.has(node.name)) {
      yield { shape: node, scale }
      continue
    }
    const inner = node.name === 'p:grpSp' ? scaleOf(node, scale) : scale
    for (const child of node.children.toReversed()) waiting.push({ node: child, scale: inner })
  }
}

function scaleOf(group: XmlNode, around: Scale | undefined): Scale | undefined {
  const frame = childOf(childOf(group, 'p:grpSpPr'), 'a:xfrm')
  const lengths = (name: string) =>
    [lengthOf(childOf(frame, name), 'cx') ?? 0, lengthOf(childOf(frame, name), 'cy') ?? 0] as const
  const [outer, inner] = [lengths('a:ext'), lengths('a:chExt')]
  const isStraight = ['rot', 'flipH', 'flipV'].every((name) =>
    /^(?:0|false)?$/.test(frame?.attributes[name] ?? ''),
  )
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

// Marked as decorative, so that screen readers skip it: it belongs to the shape.
const decorative =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative ' +
  'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'

const pictureElement = (id: string, x: number, y: number, width: number, height: number): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="0" name="">${decorative}</p:cNvPr><p:cNvPicPr/><p:nvPr/></p:nvPicPr>` +
  `<p:blipFill><a:blip xmlns:r="${relationType}" r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
  `<p:spPr><a:xfrm><a:off x="${Math.round(x)}" y="${Math.round(y)}"/>` +
  `<a:ext cx="${Math.max(1, Math.round(width))}" cy="${Math.max(1, Math.round(height))}"/></a:xfrm>` +
  '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
