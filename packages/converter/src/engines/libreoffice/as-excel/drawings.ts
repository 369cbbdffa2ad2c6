import type { Parts } from '../../../package/edit-package.ts'
import { editXml, type XmlEditor } from '../../../package/edit-xml.ts'
import { relationshipsIn } from '../../../package/relationships.ts'
import { type NormalFont, screenFactors } from './printed-units.ts'
import { relationsOf, sheetFolder } from './tables/style-tables.ts'
import { isFalse, isTrue, localName } from './workbook-styles.ts'

// Excel places pictures, charts and shapes by the cells below them, so in print they become wider or narrower as these
// do. LibreOffice does that only for a drawing between two cells, and takes its distances from the edges of these cells
// as they are in the file, where they are those on the author's screen.
//
// Drawings that are hidden or that their author has excluded from printing are removed: LibreOffice ignores the latter,
// and prints pages for the room of both.

export const drawingPart = /^xl\/drawings\/[^/]+\.xml$/

/** `parts` has the sheets, their relationships and the drawings. Returns the drawings that change. */
export function scaleDrawings(parts: Parts, font: NormalFont): Parts {
  const changed = new Map<string, string>()
  for (const [sheet, xml] of parts) {
    if (!sheet.startsWith(`${sheetFolder}/`) || !xml.includes('drawing ')) continue
    const [, format = ''] = /<(?:\w+:)?sheetFormatPr\s([^<>]*)/.exec(xml) ?? []
    const [, height] = /\bdefaultRowHeight="([\d.]+)"/.exec(format) ?? []
    const hasOwnHeight = /\bcustomHeight="(?:1|true)"/.test(format)
    const factors = screenFactors(font, hasOwnHeight ? undefined : Number(height))
    for (const { target } of relationshipsIn(parts.get(relationsOf(sheet)) ?? '', sheetFolder)) {
      const name = target?.toLowerCase() ?? ''
      const drawing = drawingPart.test(name) ? parts.get(name) : undefined
      if (drawing) changed.set(name, scaleDrawing(drawing, factors))
    }
  }
  return changed
}

const sized: ReadonlySet<string> = new Set(['oneCellAnchor', 'absoluteAnchor'])
const anchors: ReadonlySet<string> = new Set([...sized, 'twoCellAnchor'])
/** Of the properties of an anchor's object: the root, the anchor, the object and its first child. Controls are deeper. */
const objectDepth = 4

function scaleDrawing(xml: string, factors: { column: number; row: number }): string {
  const ancestors: string[] = []
  let isPrinted = true
  const scaled = (text: string | undefined, factor: number) => String(Math.round(Number(text) * factor) || 0)
  const scaleText = (start: number, end: number, factor: number, editor: XmlEditor) =>
    editor.replace(start, end, scaled(editor.source(start, end), factor))
  return editXml(xml, {
    open(element, editor) {
      const name = localName(element.name)
      const { cx, cy, x, y, fPrintsWithSheet, hidden } = element.attributes
      if (anchors.has(name)) isPrinted = true
      else if (name === 'clientData' && isFalse(fPrintsWithSheet)) isPrinted = false
      else if (name === 'cNvPr' && isTrue(hidden) && ancestors.length === objectDepth) isPrinted = false
      if (sized.has(ancestors.at(-1) ?? '')) {
        if (name === 'ext')
          editor.setAttributes(element, { cx: scaled(cx, factors.column), cy: scaled(cy, factors.row) })
        else if (name === 'pos')
          editor.setAttributes(element, { x: scaled(x, factors.column), y: scaled(y, factors.row) })
      }
      ancestors.push(name)
    },
    close(element, end, editor) {
      const name = ancestors.pop()
      if (name === 'colOff') scaleText(element.end, end.start, factors.column, editor)
      else if (name === 'rowOff') scaleText(element.end, end.start, factors.row, editor)
      else if (anchors.has(name ?? '') && !isPrinted) editor.replace(element.start, end.end, '')
    },
  })
}
