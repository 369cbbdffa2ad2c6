import type { XmlNode } from '../../../../package/edit-xml.ts'
import type { Area } from '../tables/table-style.ts'
import { isTrue } from '../workbook-styles.ts'
import type { SparklineGroup } from './read-sparklines.ts'

// Draws a line sparkline as shapes in its cell: the line, the horizontal axis, and a dot for each marked point.

/** Of an empty cell: undefined. */
export type Values = readonly (number | undefined)[]

/** Units of a path; the shape scales them to its cell. */
const size = 10_000
/** Distance from the edges of the cell. */
const inset = { x: 500, y: 1200 }
const emuPerPoint = 12_700
const defaultWeight = 0.75
/** Diameter of a dot in widths of the line. */
const dotSize = 3
const schemeColours = [
  'bg1',
  'tx1',
  'bg2',
  'tx2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
]

export interface Limits {
  min: number
  max: number
}

export const limitsOf = (values: Values): Limits => {
  const numbers = values.filter((value) => value !== undefined)
  return {
    min: numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  }
}

/** `limits` are those of the axis. */
export function drawSparkline(group: SparklineGroup, cell: Area, values: Values, limits: Limits): string {
  const { attributes, colours } = group
  const weight = Number(attributes.lineWeight) > 0 ? Number(attributes.lineWeight) : defaultWeight
  const range = limits.max - limits.min
  const heightOf = (value: number) => {
    const share = range > 0 ? (value - limits.min) / range : 0.5
    return Math.round(size - inset.y - share * (size - 2 * inset.y))
  }
  const last = Math.max(1, values.length - 1)
  const points = values.map((value, index) => {
    const share = (isTrue(attributes.rightToLeft) ? last - index : index) / last
    const x = Math.round(inset.x + share * (size - 2 * inset.x))
    return value === undefined ? undefined : { x, y: heightOf(value) }
  })
  const shape = (path: string, colour: string, width: number) =>
    path === '' ? '' : shapeIn(cell, path, colour, width)
  let drawn = shape(
    linePath(points, attributes.displayEmptyCellsAs),
    colourOf(colours, 'colorSeries'),
    weight,
  )
  if (isTrue(attributes.displayXAxis) && limits.min < 0 && limits.max > 0) {
    const y = heightOf(0)
    drawn += shape(move(inset.x, y) + line(size - inset.x, y), colourOf(colours, 'colorAxis'), defaultWeight)
  }
  for (const [name, marked] of markedPoints(attributes, values)) {
    const dots = marked.map((index) => points[index]).filter((point) => point !== undefined)
    const path = dots.map(({ x, y }) => move(x, y) + line(x + 1, y)).join('')
    drawn += shape(path, colourOf(colours, name), weight * dotSize)
  }
  return drawn
}

function linePath(points: readonly ({ x: number; y: number } | undefined)[], empty = 'zero'): string {
  let path = ''
  let isOpen = false
  for (const point of points) {
    if (point) path += (isOpen ? line : move)(point.x, point.y)
    isOpen = point !== undefined || (isOpen && empty === 'span')
  }
  return path
}

/** Later ones are drawn over earlier ones. */
function markedPoints(attributes: XmlNode['attributes'], values: Values): [string, number[]][] {
  const { min, max } = limitsOf(values)
  const where = (test: (value: number) => boolean) =>
    values.flatMap((value, index) => (value !== undefined && test(value) ? [index] : []))
  const all = where(() => true)
  const marks: [string, string, number[]][] = [
    ['markers', 'colorMarkers', all],
    ['negative', 'colorNegative', where((value) => value < 0)],
    ['low', 'colorLow', where((value) => value === min)],
    ['high', 'colorHigh', where((value) => value === max)],
    ['first', 'colorFirst', all.slice(0, 1)],
    ['last', 'colorLast', all.slice(-1)],
  ]
  return marks.flatMap(([name, colour, found]) => (isTrue(attributes[name]) ? [[colour, found]] : []))
}

const point = (x: number, y: number) => `<a:pt x="${x}" y="${y}"/>`
const move = (x: number, y: number) => `<a:moveTo>${point(x, y)}</a:moveTo>`
const line = (x: number, y: number) => `<a:lnTo>${point(x, y)}</a:lnTo>`

function colourOf(colours: SparklineGroup['colours'], name: string): string {
  const { rgb = '', theme = '', tint = '0' } = colours.get(name) ?? {}
  if (/^[\dA-F]{8}$/i.test(rgb)) return `<a:srgbClr val="${rgb.slice(2)}"/>`
  const scheme = theme === '' ? undefined : schemeColours[Number(theme)]
  if (!scheme) return '<a:srgbClr val="000000"/>'
  const share = Math.max(-1, Math.min(1, Number(tint) || 0))
  const kept = Math.round(100_000 * (1 - Math.abs(share)))
  const added = share > 0 ? `<a:lumOff val="${100_000 - kept}"/>` : ''
  return `<a:schemeClr val="${scheme}"><a:lumMod val="${kept}"/>${added}</a:schemeClr>`
}

const mark = (name: string, column: number, row: number) =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff>` +
  `<xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`

const shapeIn = (cell: Area, path: string, colour: string, points: number) =>
  '<xdr:twoCellAnchor xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"' +
  ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">' +
  mark('from', cell.left - 1, cell.top - 1) +
  mark('to', cell.right, cell.bottom) +
  '<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" name=""/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr>' +
  '<a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm><a:custGeom><a:pathLst>' +
  `<a:path w="${size}" h="${size}" fill="none">${path}</a:path></a:pathLst></a:custGeom><a:noFill/>` +
  `<a:ln w="${Math.round(points * emuPerPoint)}" cap="rnd"><a:solidFill>${colour}</a:solidFill><a:round/></a:ln>` +
  '</xdr:spPr></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>'
