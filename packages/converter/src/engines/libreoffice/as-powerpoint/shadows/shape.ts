import { attribute } from '../deck.ts'
import { type Form, radians, readShadow, type Shadow } from './shadow.ts'
import type { Theme } from './theme.ts'

// What a shape's elements say of its effects, its place and its outline.

/** How long the shape's units are on the slide. */
export interface Scale {
  x: number
  y: number
}

const properties = /<p:spPr\b[^<>]*\/>|<p:spPr\b[^<>]*>[\s\S]*?<\/p:spPr>/
const effectList = /<a:effectLst\s*\/>|<a:effectLst>[\s\S]*?<\/a:effectLst>/
const styleEffects = /(<a:effectRef idx=")[1-9]\d{0,3}"/

/** Empty where it has none. */
export const propertiesOf = (shape: string): string => properties.exec(shape)?.[0] ?? ''

/** None where the shape's own properties say nothing of effects; the list may be empty. */
export const effectsIn = (own: string): string | undefined => effectList.exec(own)?.[0]

/** The shape's own list, also an empty one, replaces its style's. */
export const withoutStyleEffects = (shape: string): string =>
  effectsIn(propertiesOf(shape)) === undefined ? shape : shape.replace(styleEffects, '$10"')

/** With these in place of its own and its style's. */
export const withEffects = (shape: string, effects: string): string =>
  shape
    .replace(properties, (own) => {
      if (effectList.test(own)) return own.replace(effectList, () => effects)
      if (own.endsWith('/>')) return `${own.slice(0, -2)}>${effects}</p:spPr>`
      // Their place is before those of three dimensions.
      return own.replace(/<a:(?:scene3d|sp3d|extLst)\b|<\/p:spPr>/, (next) => effects + next)
    })
    .replace(styleEffects, '$10"')

export interface PlacedForm extends Form {
  x: number
  y: number
  scale: Scale
  shadow: Shadow
}

const placeOf =
  /<a:xfrm\b([^<>]*)>\s*<a:off x="(-?\d{1,10})" y="(-?\d{1,10})"\s*\/>\s*<a:ext cx="(\d{1,10})" cy="(\d{1,10})"\s*\/>\s*<\/a:xfrm>/
const outlineOf = /<a:prstGeom\b[^<>]*?(?:\/>|>[\s\S]*?<\/a:prstGeom>)/
const lineOf = /<a:ln\b([^<>]*?)(?:\/>|>[\s\S]*?<\/a:ln>)/

/** `inherited` are the properties of the placeholder that the shape takes the place of. */
export function formOf(
  shape: string,
  inherited: string,
  theme: Theme,
  scale: Scale | undefined,
): PlacedForm | undefined {
  const own = propertiesOf(shape)
  const style = /<p:style>[\s\S]*?<\/p:style>/.exec(shape)?.[0] ?? ''
  const found = (pattern: RegExp) => pattern.exec(own) ?? pattern.exec(inherited)
  const shadow = shadowOf(effectsIn(own) ?? effectsIn(inherited), style, theme)
  const [, turned = '', ...figures] = found(placeOf) ?? []
  const [x = 0, y = 0, width = 0, height = 0] = figures.map(Number)
  if (!shadow || !scale || width * height === 0 || !isOpaque(own, inherited, style)) return undefined
  const turn = radians(Number(attribute(turned, 'rot')) || 0)
  // A turned shape in a stretched group is not the outline that it was.
  if (turn !== 0 && Math.abs(scale.x / scale.y - 1) > 0.01) return undefined
  return {
    x,
    y,
    scale,
    shadow,
    turn,
    geometry: found(outlineOf)?.[0] ?? '',
    width: width * scale.x,
    height: height * scale.y,
    lineWidth: lineWidthOf(found(lineOf), style, theme),
    isFlippedAcross: /^(?:1|true)$/.test(attribute(turned, 'flipH')),
    isFlippedDown: /^(?:1|true)$/.test(attribute(turned, 'flipV')),
  }
}

function shadowOf(list: string | undefined, style: string, { effects, scheme }: Theme): Shadow | undefined {
  if (list !== undefined) return readShadow(list, scheme)
  const [, index = '', inner = ''] = /<a:effectRef idx="([1-9])">([\s\S]*?)<\/a:effectRef>/.exec(style) ?? []
  // The colour of the style is in the shape's reference to it.
  const placeholder = attribute(/<a:schemeClr\b[^<>]*>/.exec(inner)?.[0] ?? '', 'val')
  return readShadow(effects[Number(index) - 1] ?? '', (name) => scheme(name === 'phClr' ? placeholder : name))
}

const fillOf = /<a:(noFill|solidFill|gradFill|pattFill|blipFill|grpFill)\b/

function isOpaque(own: string, inherited: string, style: string): boolean {
  for (const each of [own, inherited]) {
    // A line has a fill too.
    const body = each.replace(lineOf, '')
    const start = fillOf.exec(body)
    if (!start) continue
    const [, kind = ''] = start
    const fill = body.slice(start.index, body.indexOf(`</a:${kind}>`, start.index))
    return /^(?:solid|grad|patt)Fill$/.test(kind) && !fill.includes('<a:alpha')
  }
  return /<a:fillRef idx="[1-9]/.test(style)
}

const plainLine = 9525
const widestLine = 20_116_800

function lineWidthOf(line: RegExpExecArray | null, style: string, { lines }: Theme): number {
  const [whole = '', told = ''] = line ?? []
  const [, index] = /<a:lnRef idx="([1-9])"/.exec(style) ?? []
  if (whole.includes('<a:noFill') || (index === undefined && whole === '')) return 0
  const width = Number(attribute(told, 'w') || attribute(lines[Number(index) - 1] ?? '', 'w') || plainLine)
  return width >= 0 && width <= widestLine ? width : 0
}
