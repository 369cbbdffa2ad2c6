import { childOf, descendants, readTree, type XmlNode } from '../../../../package/edit-xml.ts'
import { areaOf } from '../tables/style-tables.ts'
import type { Area } from '../tables/table-style.ts'
import { isTrue, localName } from '../workbook-styles.ts'

// Reads the groups of line sparklines in a sheet.

export interface Sparkline {
  cell: Area
  /** Where the values are. Without a sheet it is the same. */
  source: { sheet: string | undefined; area: Area }
}

export interface SparklineGroup {
  /** Offsets in the sheet. */
  start: number
  end: number
  attributes: XmlNode['attributes']
  /** Attributes of the colour elements by their names, such as `colorSeries`. */
  colours: ReadonlyMap<string, XmlNode['attributes']>
  sparklines: readonly Sparkline[]
}

/** Of a sparkline. */
const maxPoints = 1000

/** Only groups that can be drawn whole, up to so many points in all: a small file could name many. */
export function readLineSparklines(sheet: string, maxPointsOfAll: number): SparklineGroup[] {
  const start = sheet.search(/<(?:\w+:)?sparklineGroups[\s>]/)
  if (start < 0) return []
  const [close = ''] = /<\/(?:\w+:)?sparklineGroups\s*>/.exec(sheet.slice(start)) ?? []
  const end = close === '' ? start : sheet.indexOf(close, start) + close.length
  const root = readTree(sheet.slice(start, end))
  const lines = (root?.children ?? []).filter(
    ({ name, attributes }) =>
      localName(name) === 'sparklineGroup' &&
      (attributes.type ?? 'line') === 'line' &&
      !isTrue(attributes.dateAxis),
  )
  const text = (node: XmlNode | undefined) =>
    node ? sheet.slice(start + node.end, start + node.closeStart) : ''
  let left = maxPointsOfAll
  return lines.flatMap((group) => {
    const nodes = [...descendants(group)].filter(({ name }) => localName(name) === 'sparkline')
    const sparklines = nodes
      .map((node) => readSparkline(text(inside(node, 'f')), text(inside(node, 'sqref'))))
      .filter((found) => found !== undefined)
    const points = sparklines.reduce((sum, { source }) => sum + countCells(source.area), 0)
    if (sparklines.length < nodes.length || points > left) return []
    left -= points
    return [
      {
        start: start + group.start,
        end: start + group.closeEnd,
        attributes: group.attributes,
        colours: new Map(group.children.map(({ name, attributes }) => [localName(name), attributes])),
        sparklines,
      },
    ]
  })
}

export const countCells = ({ top, left, bottom, right }: Area): number =>
  Math.max(bottom - top, right - left) + 1

const inside = (node: XmlNode, name: string): XmlNode | undefined =>
  childOf(node, name) ?? node.children.find((child) => localName(child.name) === name)

/** The formula names one row or one column of cells. */
function readSparkline(formula: string, place: string): Sparkline | undefined {
  const [, quoted, plain, range = ''] = /^\s*(?:'((?:[^']|'')*)'!|([^'!]+)!)?([^!]+)$/.exec(formula) ?? []
  const area = areaOf(wholeRange(range))
  const cell = areaOf(wholeRange(place))
  if (!area || !cell) return undefined
  const isLine = area.bottom === area.top || area.right === area.left
  if (!isLine || area.bottom < area.top || area.right < area.left || countCells(area) > maxPoints)
    return undefined
  return { cell, source: { sheet: quoted?.replaceAll("''", "'") ?? plain, area } }
}

function wholeRange(reference: string): string {
  const plain = reference.trim().replaceAll('$', '')
  return plain.includes(':') ? plain : `${plain}:${plain}`
}
