import type { Parts } from '../../../../package/edit-package.ts'
import { editXml, type XmlElement } from '../../../../package/edit-xml.ts'
import { positionOf } from '../tables/style-tables.ts'
import type { Area } from '../tables/table-style.ts'
import { localName } from '../workbook-styles.ts'
import type { Values } from './draw-sparkline.ts'
import { countCells, type Sparkline } from './read-sparklines.ts'

/** `partOf` returns the part of the sheet with the values of a sparkline. Every sheet is read once. */
export function readValues(
  parts: Parts,
  sparklines: readonly Sparkline[],
  partOf: (sparkline: Sparkline) => string,
): ReadonlyMap<Sparkline, Values> {
  const found = new Map<Sparkline, Values>()
  for (const [name, ofSheet] of Map.groupBy(sparklines, partOf)) {
    const numbers = readNumbers(parts.get(name) ?? '', ofSheet)
    for (const sparkline of ofSheet)
      found.set(
        sparkline,
        cellsOf(sparkline.source.area).map((cell) => numbers.get(cell)),
      )
  }
  return found
}

const key = (row: number, column: number) => `${row},${column}`

const cellsOf = (area: Area): string[] =>
  Array.from({ length: countCells(area) }, (_, index) =>
    area.top === area.bottom ? key(area.top, area.left + index) : key(area.top + index, area.left),
  )

/** Text counts as zero, as in Excel. */
function readNumbers(sheet: string, sparklines: readonly Sparkline[]): ReadonlyMap<string, number> {
  const wanted = new Set(sparklines.flatMap(({ source }) => cellsOf(source.area)))
  const numbers = new Map<string, number>()
  let cell: XmlElement | undefined
  editXml(sheet, {
    open(element) {
      if (localName(element.name) === 'c') cell = element
    },
    close(element, end, editor) {
      if (!cell || localName(element.name) !== 'v' || cell.attributes.t === 'e') return
      const place = positionOf(cell.attributes.r ?? '')
      if (!place || !wanted.has(key(place.row, place.column))) return
      const isNumber = (cell.attributes.t ?? 'n') === 'n'
      const value = isNumber ? Number(editor.source(element.end, end.start)) : 0
      if (Number.isFinite(value)) numbers.set(key(place.row, place.column), value)
    },
  })
  return numbers
}
