import { type ColumnContent, type Context, columnBlocks, turnedBlocks } from '../blocks/assemble.ts'
import { type Block, emptyParagraph, type Paragraph } from '../blocks/block.ts'
import { addBorders, textRules } from '../blocks/rules.ts'
import { measureGaps } from '../blocks/spacing.ts'
import { elementAt } from '../element-at.ts'
import { lineBottom, lineTop } from '../font-metrics.ts'
import type { Band } from '../layout/layout.ts'
import type { LaidPages } from '../layout/pages.ts'
import type { Page, Rule } from '../read/page.ts'
import { minPattern, samePosition, sizeableShare, usualPitch } from '../tolerances.ts'
import type { PageFrame } from './frames.ts'
import { scanPage, scanPictures } from './scan-page.ts'

// Converts pages to bands of blocks, column by column, with spacing and borders.

export interface BandShape {
  page: number
  band: Band
  size: { width: number; height: number }
  frame: PageFrame
  headerTop: number | undefined
  footerBottom: number | undefined
}

export interface BuiltBand extends BandShape {
  columns: Block[][]
  /** Blocks after the columns that do not continue them: rotated text, the text of a scan in Word. */
  after: Block[]
}

/** With less free space than this at the bottom, in lines, the text continued because the column was full. */
const fullColumn = 2.2
/** In points: after a scan, no text continues. */
const endless = 1000
/** A band that ends within this share of the page's height above the bottom reaches the bottom. */
const footShare = 0.12

export function buildBands(
  { pages, running }: LaidPages,
  frames: readonly PageFrame[],
  context: Context,
  forWord: boolean,
): BuiltBand[] {
  let room = 0
  const out: BuiltBand[] = []
  const ends = columnEnds(pages.flatMap((p) => p.bands))
  for (const [i, laid] of pages.entries()) {
    const { page, bands } = laid
    const start = out.length
    const frame = elementAt(frames, i)
    const placed = placeColumns(bands, i, frame, ends)
    // Without text there is only the picture.
    if (page.scan && (forWord || placed.length === 0)) {
      room = endless
      const text = placed.flatMap((c) => columnBlocks(c, context))
      const { blocks, ...shape } = scanPage(page, text)
      out.push({ ...shape, columns: [], after: blocks })
      continue
    }
    const header = running.header[i] ?? []
    const footer = running.footer[i] ?? []
    const rules = textRules(laid.rules, header, footer)
    let bottom = frame.top
    for (const band of bands) {
      const columns: Block[][] = []
      for (const column of placed.filter((c) => c.band === band)) {
        const top = columns.length === 0 ? bottom : band.box.y0
        columns.push(buildColumn(column, rules, { top, room }, context))
        const more = column !== placed.at(-1)
        room = (more && !isLow(band, frame) ? band.box.y1 : frame.bottom) - column.bottom
      }
      bottom = band.box.y1
      out.push({
        page: i,
        band,
        columns,
        after: band === bands.at(-1) ? turnedBlocks(laid.turned, i, context) : [],
        size: { width: page.width, height: page.height },
        frame,
        headerTop: header.length > 0 ? Math.min(...header.map(lineTop)) : undefined,
        footerBottom: footer.length > 0 ? Math.max(...footer.map(lineBottom)) : undefined,
      })
    }
    if (page.scan) addPictures(page, out.slice(start))
  }
  return out
}

/** The pictures of a scanned page are before its text. */
function addPictures(page: Page, bands: readonly BuiltBand[]): void {
  const pictures = scanPictures(page)
  if (pictures.length === 0) return
  for (const { band, columns, page: number } of bands.slice(0, 1))
    columns[0]?.unshift({ ...emptyParagraph(band.box, number, undefined), pictures })
}

/** Right edges of columns that are beside others, in whole points. */
function columnEnds(bands: readonly Band[]): number[] {
  const parted = bands.filter((b) => b.columns.length > 1)
  const ends = new Set(parted.flatMap((b) => b.columns.slice(0, -1).map((c) => Math.round(c.box.x1))))
  return [...ends].slice(0, maxEnds)
}

/** A document has a few such edges; a hostile one may have any number. */
const maxEnds = 8

/** The last page of a text in columns may have only the first column: its lines are broken at the column's edge. */
function lonelyColumn({ columns: [column] }: Band, ends: readonly number[]): number | undefined {
  const rights = column?.items.filter((i) => i.kind === 'line').map((i) => i.box.x1) ?? []
  return ends.find((end) => {
    const full = rights.filter((x) => Math.abs(x - end) < samePosition).length
    return full >= minPattern && full >= sizeableShare * rights.length
  })
}

interface PlacedColumn extends ColumnContent {
  band: Band
  bottom: number
}

const placeColumns = (
  bands: readonly Band[],
  page: number,
  { left, right, edges }: PageFrame,
  ends: readonly number[],
): PlacedColumn[] =>
  bands.flatMap((band) =>
    band.columns.map(({ box, items }, index) => ({
      frame:
        band.columns.length === 1 ? { x0: left, x1: right, edges, brokenAt: lonelyColumn(band, ends) } : box,
      items,
      page,
      starts: index > 0 ? 'column' : band === bands[0] ? 'page' : undefined,
      band,
      bottom: box.y1,
    })),
  )

/** `top` is the top of the column, `room` the free space at the bottom of the previous column. */
function buildColumn(
  column: PlacedColumn,
  rules: readonly Rule[],
  { top, room }: { top: number; room: number },
  context: Context,
): Block[] {
  const blocks = columnBlocks(column, context)
  const first = blocks[0]
  // If the previous column is full, the next one follows without a break.
  if (first?.kind === 'paragraph' && room < fullColumn * lineOf(first)) {
    first.startsPage = false
    first.startsColumn = false
  }
  return addBorders(measureGaps(blocks, top), rules, column.frame)
}

const lineOf = (p: Paragraph): number => p.pitch ?? usualPitch * p.size

const isLow = (band: Band, frame: PageFrame): boolean =>
  band.box.y1 > frame.bottom - footShare * (frame.bottom - frame.top)
