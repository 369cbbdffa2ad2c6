import { emptyParagraph } from '../blocks/assemble.ts'
import type { Block, Paragraph } from '../blocks/block.ts'
import { copyBlocks } from '../blocks/copy.ts'
import type { Page } from '../read/page.ts'
import type { BandBlocks } from './sections.ts'

// A scanned page keeps its look: its picture covers the page, and the text lies under it, where it
// can be found, copied, and edited once the picture is moved away.

const edge = 18

export function scanPage(page: Page, blocks: readonly Block[]): BandBlocks {
  const paragraphs = copyBlocks(blocks).filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '')
  const box = { x0: edge, y0: edge, x1: page.width - edge, y1: page.height - edge }
  if (paragraphs.length === 0) paragraphs.push(emptyParagraph(box, page.number, undefined))
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
    const pitch = p.pitch ?? 1.15 * p.size
    p.before = Math.max(0, p.firstBaseline + 0.25 * p.size - pitch - bottom)
    bottom += p.before + pitch * p.lines
    p.pictures = []
  }
  keepToPage(paragraphs, page.height - 2 * edge)
  const first = paragraphs[0] as Paragraph
  first.pictures = page.pictures.slice(0, 60).map((picture) => ({ picture, placement: 'front' as const }))
  first.startsPage = true
  return {
    page: page.number,
    band: { box, columns: [{ box, items: [] }] },
    blocks: paragraphs,
    size: { width: page.width, height: page.height },
    frame: { left: edge, right: page.width - edge, top: edge, bottom: page.height - edge, edges: [] },
    headerTop: undefined,
    footerBottom: undefined,
  }
}

/** Another font may need more lines: space is given up before a page is. */
function keepToPage(paragraphs: readonly Paragraph[], room: number): void {
  const text = paragraphs.reduce((sum, p) => sum + 1.3 * (p.lines + 0.3) * (p.pitch ?? 1.15 * p.size), 0)
  const space = paragraphs.reduce((sum, p) => sum + p.before, 0)
  const share = space > 0 ? Math.max(0, Math.min(1, (room - text) / space)) : 0
  for (const p of paragraphs) {
    p.before *= share
    if (text > room) p.pitch = (p.pitch ?? 1.15 * p.size) * (room / text)
  }
}
