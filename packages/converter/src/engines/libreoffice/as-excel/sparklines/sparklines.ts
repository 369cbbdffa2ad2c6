import type { Parts } from '../../../../package/edit-package.ts'
import { visitXml } from '../../../../package/edit-xml.ts'
import { relationshipsIn } from '../../../../package/relationships.ts'
import { drawingPart } from '../drawings.ts'
import { areaOf, relationsOf, sheetFolder } from '../tables/style-tables.ts'
import { localName } from '../workbook-styles.ts'
import { readValues } from './cell-values.ts'
import { drawSparkline, type Limits, limitsOf, type Values } from './draw-sparkline.ts'
import { countCells, readLineSparklines, type Sparkline, type SparklineGroup } from './read-sparklines.ts'

// LibreOffice leaves the lines of sparklines out of a PDF, and draws only their points. So line sparklines become
// shapes of the sheet's drawing. Columns, and gains and losses, are drawn by LibreOffice.

export const workbookParts = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'] as const

/** Of a workbook. */
const maxPoints = 20_000

/** Returns the parts that change or are new. */
export function drawSparklines(parts: Parts): Parts {
  const changed = new Map<string, string>()
  const groups = new Map<string, readonly SparklineGroup[]>()
  const sheetOf = new Map<Sparkline, string>()
  let left = maxPoints
  for (const [name, sheet] of parts) {
    if (!name.startsWith(`${sheetFolder}/`) || !sheet.includes('sparklineGroups')) continue
    const found = readLineSparklines(sheet, left)
    if (found.length > 0) groups.set(name, found)
    for (const sparkline of found.flatMap(({ sparklines }) => sparklines)) {
      left -= countCells(sparkline.source.area)
      sheetOf.set(sparkline, name)
    }
  }
  if (groups.size === 0) return changed
  const named = sheetParts(parts)
  const values = readValues(parts, [...sheetOf.keys()], (sparkline) => {
    const { sheet } = sparkline.source
    return (sheet === undefined ? sheetOf.get(sparkline) : named.get(sheet)) ?? ''
  })
  for (const [name, found] of groups) {
    const sheet = parts.get(name) ?? ''
    const merged = mergedAreas(sheet)
    const shapes = found.map((group) => drawGroup(group, values, merged)).join('')
    addToDrawing(name, withoutGroups(sheet, found), shapes, parts, changed)
  }
  return changed
}

/** The parts of sheets by their names. */
function sheetParts(parts: Parts): ReadonlyMap<string, string> {
  const [workbook, relations] = workbookParts
  const targets = new Map(
    relationshipsIn(parts.get(relations) ?? '', 'xl').map(({ id, target }) => [id, target?.toLowerCase()]),
  )
  const found = new Map<string, string>()
  visitXml(parts.get(workbook) ?? '', ({ name, attributes }) => {
    const target = targets.get(attributes['r:id'] ?? '')
    if (localName(name) === 'sheet' && target) found.set(attributes.name ?? '', target)
  })
  return found
}

function mergedAreas(sheet: string): ReadonlyMap<string, Sparkline['cell']> {
  const areas = Array.from(sheet.matchAll(/<(?:\w+:)?mergeCell\s[^<>]*?ref="([\w:]+)"/g), ([, ref]) =>
    areaOf(ref),
  )
  return new Map(areas.flatMap((area) => (area ? [[`${area.top},${area.left}`, area] as const] : [])))
}

function drawGroup(
  group: SparklineGroup,
  values: ReadonlyMap<Sparkline, Values>,
  merged: ReadonlyMap<string, Sparkline['cell']>,
): string {
  const { attributes, sparklines } = group
  const isZero = (attributes.displayEmptyCellsAs ?? 'zero') === 'zero'
  const shown = sparklines.map((sparkline) => ({
    cell: merged.get(`${sparkline.cell.top},${sparkline.cell.left}`) ?? sparkline.cell,
    values: (values.get(sparkline) ?? []).map((value) => value ?? (isZero ? 0 : undefined)),
  }))
  const ofGroup = limitsOf(shown.flatMap((sparkline) => sparkline.values))
  const end = (name: keyof Limits, own: Limits): number => {
    const { [`${name}AxisType`]: type, [`manual${name === 'min' ? 'Min' : 'Max'}`]: manual } = attributes
    return type === 'custom' ? Number(manual) || 0 : (type === 'group' ? ofGroup : own)[name]
  }
  return shown
    .map(({ cell, values }) => {
      const own = limitsOf(values)
      return Number.isFinite(own.min)
        ? drawSparkline(group, cell, values, { min: end('min', own), max: end('max', own) })
        : ''
    })
    .join('')
}

/** What is between the groups, which are in the order of the sheet. */
const withoutGroups = (sheet: string, groups: readonly SparklineGroup[]): string =>
  [...groups, undefined]
    .map((group, index) => sheet.slice(groups[index - 1]?.end ?? 0, group?.start))
    .join('')

const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = 'sparklines'

/** A sheet without a drawing gets one. */
function addToDrawing(
  name: string,
  sheet: string,
  shapes: string,
  parts: Parts,
  changed: Map<string, string>,
) {
  const relations = parts.get(relationsOf(name)) ?? ''
  const own = relationshipsIn(relations, sheetFolder)
    .map(({ target }) => target?.toLowerCase() ?? '')
    .find((target) => drawingPart.test(target) && parts.has(target))
  if (own) {
    changed.set(name, sheet)
    changed.set(own, beforeEnd(parts.get(own) ?? '', shapes))
    return
  }
  const drawing = name.replace(/^.*\/([^/]+)\.xml$/, 'xl/drawings/sparklines-$1.xml')
  const [, prefix = ''] = /<(\w+:)?worksheet[\s>]/.exec(sheet) ?? []
  changed.set(name, beforeEnd(sheet, `<${prefix}drawing xmlns:s="${officeRelations}" s:id="${relation}"/>`))
  changed.set(
    relationsOf(name),
    beforeEnd(
      relations ||
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>',
      `<Relationship Id="${relation}" Type="${officeRelations}/drawing" Target="/${drawing}"/>`,
    ),
  )
  changed.set(
    drawing,
    `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing">${shapes}</xdr:wsDr>`,
  )
}

function beforeEnd(xml: string, added: string): string {
  const end = xml.lastIndexOf('</')
  return end < 0 ? xml : xml.slice(0, end) + added + xml.slice(end)
}
