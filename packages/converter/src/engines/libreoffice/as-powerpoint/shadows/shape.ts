import { childOf, descendants, type XmlEditor, type XmlNode } from '../../../../package/edit-xml.ts'
import { type Form, type Geometry, radians, readShadow, type Shadow } from './shadow.ts'
import type { Theme } from './theme.ts'

// Reads a shape's effects, position and outline from its elements.

/** Scale of the shape's units on the slide. */
export interface Scale {
  x: number
  y: number
}

/** Undefined if the shape's own properties have no effect list; the list may be empty. */
export const effectsIn = (shape: XmlNode): XmlNode | undefined =>
  childOf(childOf(shape, 'p:spPr'), 'a:effectLst')

/** Called for shapes with their own list, even an empty one, which replaces the style's. */
export function removeStyleEffects(shape: XmlNode, editor: XmlEditor): void {
  const reference = childOf(childOf(shape, 'p:style'), 'a:effectRef')
  if (reference && /^[1-9]\d{0,3}$/.test(reference.attributes.idx ?? ''))
    editor.setAttributes(reference, { idx: '0' })
}

/** Replaces its own effects and those of its style. */
export function setEffects(shape: XmlNode, effects: string, editor: XmlEditor): void {
  removeStyleEffects(shape, editor)
  const properties = childOf(shape, 'p:spPr')
  const own = childOf(properties, 'a:effectLst')
  if (own) editor.replace(own.start, own.closeEnd, effects)
  else if (properties?.isSelfClosing) {
    const tag = editor.source(properties.start, properties.end).slice(0, -2)
    editor.replace(properties.start, properties.end, `${tag}>${effects}</p:spPr>`)
  } else if (properties) {
    // The schema requires effects before three-dimensional properties.
    const next = properties.children.find(({ name }) => /^a:(?:scene3d|sp3d|extLst)$/.test(name))
    const at = next?.start ?? properties.closeStart
    editor.replace(at, at, effects)
  }
}

/** Whether the shape has effects, or inherits them from its placeholder or its style. */
export const mayHaveShadow = (shape: XmlNode, inherited: string | undefined): boolean =>
  effectsIn(shape) !== undefined ||
  inherited !== undefined ||
  indexOf(childOf(childOf(shape, 'p:style'), 'a:effectRef')) >= 0

export interface PlacedForm extends Form {
  x: number
  y: number
  scale: Scale
  shadow: Shadow
}

/** `inherited` are the properties of the shape's placeholder. */
export function formOf(
  shape: XmlNode,
  inherited: XmlNode | undefined,
  theme: Theme,
  scale: Scale | undefined,
): PlacedForm | undefined {
  const own = childOf(shape, 'p:spPr')
  const style = childOf(shape, 'p:style')
  const find = (name: string) => childOf(own, name) ?? childOf(inherited, name)
  const shadow = shadowOf(find('a:effectLst'), style, theme)
  const frame = find('a:xfrm')
  const [x, y] = ['x', 'y'].map((name) => lengthOf(childOf(frame, 'a:off'), name))
  const [width = 0, height = 0] = ['cx', 'cy'].map((name) => lengthOf(childOf(frame, 'a:ext'), name))
  if (!shadow || !scale || x === undefined || y === undefined || !(width * height > 0)) return undefined
  if (!isOpaque(own, inherited, style)) return undefined
  const turn = radians(Number(frame?.attributes.rot) || 0)
  // A rotated shape in a non-uniformly scaled group does not keep its outline.
  if (turn !== 0 && Math.abs(scale.x / scale.y - 1) > 0.01) return undefined
  return {
    x,
    y,
    scale,
    shadow,
    turn,
    geometry: geometryOf(find('a:prstGeom')),
    width: width * scale.x,
    height: height * scale.y,
    lineWidth: lineWidthOf(find('a:ln'), style, theme),
    isFlippedAcross: isTrue(frame?.attributes.flipH),
    isFlippedDown: isTrue(frame?.attributes.flipV),
  }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

export function lengthOf(node: XmlNode | undefined, name: string): number | undefined {
  const value = node?.attributes[name] ?? ''
  return /^-?\d{1,10}$/.test(value) ? Number(value) : undefined
}

/** Undefined if an adjustment is not a plain value. */
function geometryOf(outline: XmlNode | undefined): Geometry | undefined {
  if (!outline) return undefined
  const adjustments: [string, number][] = []
  for (const { name, attributes } of descendants(outline)) {
    if (name !== 'a:gd') continue
    const [, value] = /^val (-?\d{1,9})$/.exec(attributes.fmla ?? '') ?? []
    if (value === undefined) return undefined
    adjustments.push([attributes.name ?? '', Number(value)])
  }
  return { preset: outline.attributes.prst ?? '', adjustments }
}

function shadowOf(list: XmlNode | undefined, style: XmlNode | undefined, theme: Theme): Shadow | undefined {
  if (list) return readShadow(list, theme.scheme)
  const reference = childOf(style, 'a:effectRef')
  // The placeholder colour of the style, which the shape's reference defines.
  const placeholder = childOf(reference, 'a:schemeClr')?.attributes.val ?? ''
  return readShadow(theme.effects[indexOf(reference)], (name) =>
    theme.scheme(name === 'phClr' ? placeholder : name),
  )
}

/** Index of the referenced entry of the theme; -1 for none. */
const indexOf = (reference: XmlNode | undefined): number =>
  /^[1-9]$/.test(reference?.attributes.idx ?? '') ? Number(reference?.attributes.idx) - 1 : -1

const fills = /^a:(?:noFill|solidFill|gradFill|pattFill|blipFill|grpFill)$/

function isOpaque(
  own: XmlNode | undefined,
  inherited: XmlNode | undefined,
  style: XmlNode | undefined,
): boolean {
  const fill = [own, inherited]
    .map((properties) => properties?.children.find(({ name }) => fills.test(name)))
    .find((found) => found !== undefined)
  if (!fill) return indexOf(childOf(style, 'a:fillRef')) >= 0
  if (!/^a:(?:solid|grad|patt)Fill$/.test(fill.name)) return false
  for (const { name } of descendants(fill)) if (name === 'a:alpha') return false
  return true
}

const plainLine = 9525
const widestLine = 20_116_800

function lineWidthOf(line: XmlNode | undefined, style: XmlNode | undefined, { lines }: Theme): number {
  const index = indexOf(childOf(style, 'a:lnRef'))
  if (childOf(line, 'a:noFill') || (index < 0 && !line)) return 0
  const width = Number(line?.attributes.w || lines[index]?.attributes.w || plainLine)
  return width >= 0 && width <= widestLine ? width : 0
}
