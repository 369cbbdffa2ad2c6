import {
  type Block,
  emptyParagraph,
  type Paragraph,
  paragraphsOf,
  type Run,
  type Table,
} from '../blocks/block.ts'
import { elementAt } from '../element-at.ts'
import { union } from '../geometry.ts'
import type { Page } from '../read/page.ts'
import { usualPitch } from '../tolerances.ts'
import { tailOfLetters } from '../typography.ts'
import type { BandBlocks } from './sections.ts'

// In Word, a scanned page keeps its look: its picture covers the page, and the text is below it, where it can be
// searched, copied, and edited once the picture is moved away.

/** A quarter of an inch, in points: every program prints text there. */
const edge = 18
/** More pictures on one page are scanning noise, and each increases the file size. */
const maxPictures = 60
/** Another font may be wider by this factor, and need an additional line in three paragraphs of ten. */
const widerFont = 1.3
const moreLines = 0.3

export function scanPage(page: Page, blocks: readonly Block[]): BandBlocks {
  const box = { x0: edge, y0: edge, x1: page.width - edge, y1: page.height - edge }
  const content = blocks.filter((b) => b.kind === 'table' || b.text !== '')
  if (content.length === 0) content.push(emptyParagraph(box, page.number, undefined))
  const paragraphs = content.flatMap((b) => (b.kind === 'table' ? asLines(b) : [b]))
  let bottom = edge
  for (const p of paragraphs) {
    p.hidden = true
    p.heading = undefined
    p.align = p.align === 'justify' ? 'left' : p.align
    p.startsPage = false
    p.startsColumn = false
    p.tabs = []
    p.left = Math.max(0, p.box.x0 - edge)
    p.first = 0
    const pitch = p.pitch ?? usualPitch * p.size
    p.before = Math.max(0, p.firstBaseline + tailOfLetters * p.size - pitch - bottom)
    bottom += p.before + pitch * p.lines
    p.pictures = []
  }
  keepToPage(paragraphs, page.height - 2 * edge)
  const first = elementAt(paragraphs, 0)
  first.pictures = scanPictures(page)
  first.startsPage = true
  return {
    page: page.number,
    band: { box, columns: [{ box, items: [] }] },
    blocks: content,
    size: { width: page.width, height: page.height },
    frame: { left: edge, right: page.width - edge, top: edge, bottom: page.height - edge, edges: [] },
    headerTop: undefined,
    footerBottom: undefined,
  }
}

export const scanPictures = (page: Page): Paragraph['pictures'] =>
  page.pictures.slice(0, maxPictures).map((picture) => ({ picture, placement: 'front' as const }))

/** A table below the picture has no cells: each row is a line of text. */
function asLines(table: Table): Paragraph[] {
  table.lines = table.rows.flatMap((row) => {
    const own = [...paragraphsOf(row.cells.flatMap((c) => c.blocks))].filter((p) => p.text !== '')
    const [first, ...others] = own
    if (!first) return []
    const space = (p: Paragraph): Run => ({ ...elementAt(p.runs, 0), text: ' ' })
    const runs = [...first.runs, ...others.flatMap((p) => [space(p), ...p.runs])]
    const text = own.map((p) => p.text).join(' ')
    return [{ ...first, box: union(own.map((p) => p.box)), runs, text, lines: 1 }]
  })
  return table.lines
}

/** Another font may need more lines: reduces the spacing so that the text does not need another page. */
function keepToPage(paragraphs: readonly Paragraph[], room: number): void {
  const text = paragraphs.reduce(
    (sum, p) => sum + widerFont * (p.lines + moreLines) * (p.pitch ?? usualPitch * p.size),
    0,
  )
  const space = paragraphs.reduce((sum, p) => sum + p.before, 0)
  const share = space > 0 ? Math.max(0, Math.min(1, (room - text) / space)) : 0
  for (const p of paragraphs) {
    p.before *= share
    if (text > room) p.pitch = (p.pitch ?? usualPitch * p.size) * (room / text)
  }
}
