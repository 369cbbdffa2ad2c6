import type { XmlNode } from '../../../../package/edit-xml.ts'
import { type Colour, readColour, type Scheme } from './colour.ts'
import { outlines, type Point } from './outlines.ts'

// The properties of a shape's shadow and the position of its outline. Lengths are in EMUs, 914,400 per inch; angles in
// radians, clockwise.

export interface Shadow extends Colour {
  blur: number
  distance: number
  direction: number
  scaleX: number
  scaleY: number
  /** The fixed point when the shadow is scaled: letters of t(op), b(ottom), l(eft), r(ight). */
  alignment: string
  turnsWithShape: boolean
}

/** Reads a list of effects that consists of one blurred shadow. */
export function readShadow(effects: XmlNode | undefined, scheme: Scheme): Shadow | undefined {
  const [shadow, ...others] = effects?.children ?? []
  if (shadow?.name !== 'a:outerShdw' || others.length > 0) return undefined
  const figure = (name: string, otherwise: number) => {
    const value = shadow.attributes[name] ?? ''
    return /^-?\d{1,9}$/.test(value) ? Number(value) : otherwise
  }
  const colour = readColour(shadow, scheme)
  const blur = figure('blurRad', 0)
  const [scaleX, scaleY] = [figure('sx', 100_000) / 100_000, figure('sy', 100_000) / 100_000]
  const isSkewed = figure('kx', 0) !== 0 || figure('ky', 0) !== 0
  if (!colour || blur <= 0 || scaleX <= 0 || scaleY <= 0 || isSkewed) return undefined
  return {
    ...colour,
    blur,
    scaleX,
    scaleY,
    distance: figure('dist', 0),
    direction: radians(figure('dir', 0)),
    alignment: shadow.attributes.algn || 'b',
    turnsWithShape: !/^(?:0|false)$/.test(shadow.attributes.rotWithShape ?? ''),
  }
}

/** Converts from sixty-thousandths of a degree. */
export const radians = (angle: number): number => ((angle / 60_000) * Math.PI) / 180

export interface Geometry {
  /** Name of the preset outline. */
  preset: string
  /** By name. */
  adjustments: readonly (readonly [string, number])[]
}

export interface Form {
  width: number
  height: number
  geometry: Geometry | undefined
  /** Half of the line is outside the outline. */
  lineWidth: number
  turn: number
  isFlippedAcross: boolean
  isFlippedDown: boolean
}

/**
 * The shadow's outline before blurring, relative to the upper left corner of the shape; undefined for unsupported
 * outlines.
 */
export function shadowOutline(form: Form, shadow: Shadow): Point[] | undefined {
  const { width, height, geometry, lineWidth } = form
  const outline = outlines.get(geometry?.preset ?? '')
  const adjustments = new Map(geometry?.adjustments)
  const [middleX, middleY] = [width / 2, height / 2]
  const direction = shadow.direction + (shadow.turnsWithShape ? form.turn : 0)
  const [sine, cosine] = [Math.sin(form.turn), Math.cos(form.turn)]
  const still = {
    x: shadow.alignment.includes('l') ? 0 : shadow.alignment.includes('r') ? width : middleX,
    y: shadow.alignment.includes('t') ? 0 : shadow.alignment.includes('b') ? height : middleY,
  }
  // 'ctr' contains a t and an r.
  if (shadow.alignment === 'ctr') Object.assign(still, { x: middleX, y: middleY })
  const place = ({ x, y }: Point): Point => {
    const across = (x - middleX) * (1 + lineWidth / width) * (form.isFlippedAcross ? -1 : 1)
    const down = (y - middleY) * (1 + lineWidth / height) * (form.isFlippedDown ? -1 : 1)
    const turned = {
      x: middleX + across * cosine - down * sine,
      y: middleY + across * sine + down * cosine,
    }
    return {
      x: still.x + (turned.x - still.x) * shadow.scaleX + shadow.distance * Math.cos(direction),
      y: still.y + (turned.y - still.y) * shadow.scaleY + shadow.distance * Math.sin(direction),
    }
  }
  return outline?.(width, height, (name, otherwise) => adjustments.get(name) ?? otherwise).map(place)
}
