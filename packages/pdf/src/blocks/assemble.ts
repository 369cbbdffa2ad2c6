import { lineBottom, lineTop } from '../font-metrics.ts'
import { height, overlapY } from '../geometry.ts'
import { type Item, inOrder, type PictureItem, type TextLine } from '../layout/layout.ts'
import { looseOf } from '../layout/rows.ts'
import type { TextRun } from '../lines/line.ts'
import type { Font } from '../read/page.ts'
import type { FoundCell, FoundTable } from '../tables/table.ts'
import { sameIndent, sizeableShare } from '../tolerances.ts'
import { type Block, emptyParagraph, type Paragraph } from './block.ts'
import { buildParagraph } from './build.ts'
import type { LinePitch } from './line-pitch.ts'
import { type Frame, splitParagraphs } from './paragraphs.ts'
import { buildTable } from './table-blocks.ts'
import type { Vocabulary } from './vocabulary.ts'

// Converts the items of the columns to blocks in reading order.

/** A picture with a smaller margin fills its column; one is centred within this tolerance; in points. */
const minRoom = 10

export interface ColumnContent {
  frame: Frame
  items: readonly Item[]
  page: number
  /** What the first block starts. */
  starts?: 'page' | 'column' | undefined
}

export interface Context {
  linePitch: LinePitch
  vocabulary: Vocabulary
  /** Letter spacing by font, in ems. */
  spacing: ReadonlyMap<Font, number>
}

export function columnBlocks(placed: ColumnContent, context: Context): Block[] {
  const { frame, items, page, starts } = placed
  const out: Block[] = []
  let lines: TextLine[] = []
  const pending: PictureItem[] = []
  const flush = (): void => {
    if (lines.length > 0)
      for (const found of splitParagraphs(lines, frame, context.linePitch))
        out.push(buildParagraph(found, frame, page, context))
    lines = []
  }
  for (const item of items) {
    if (item.kind === 'line') lines.push(item)
    else if (item.kind === 'table') {
      flush()
      out.push(
        boxedParagraph(item.table, frame, page, context) ?? buildTable(item.table, frame, page, context),
      )
    } else if (beside(item, items)) pending.push(item)
    else {
      flush()
      addPicture(out, item, placed)
    }
  }
  flush()
  for (const item of pending) anchorPicture(out, item, placed)
  const first = out[0]
  if (first) {
    first.startsPage = starts === 'page'
    first.startsColumn = starts === 'column'
  }
  return out
}

function boxedParagraph(
  table: FoundTable,
  frame: Frame,
  page: number,
  context: Context,
): Paragraph | undefined {
  const cell = onlyCell(table)
  if (!cell) return undefined
  const inner = {
    x0: Math.min(...cell.textRuns.map((p) => p.box.x0)),
    x1: Math.max(cell.box.x1 - 1, ...cell.textRuns.map((p) => p.box.x1)),
  }
  const blocks = columnBlocks({ frame: inner, items: inOrder(looseOf(cell)), page }, context)
  return withFrame(blocks, cell, inner, frame)
}

/** Whether text overlaps the picture or is to its left or right. */
function beside(picture: PictureItem, items: readonly Item[]): boolean {
  return items.some(
    (i) =>
      i.kind !== 'picture' &&
      overlapY(i.box, picture.box) > sizeableShare * Math.min(height(i.box), height(picture.box)),
  )
}

function addPicture(out: Block[], item: PictureItem, placed: ColumnContent): void {
  const { frame } = placed
  const last = out.at(-1)
  // Pictures side by side share a line.
  if (
    last?.kind === 'paragraph' &&
    last.pictures.length > 0 &&
    last.text === '' &&
    item.box.y0 < last.box.y1 - height(item.box) / 2
  ) {
    last.pictures.push({ picture: item.picture, placement: 'inline' })
    last.box = { ...last.box, x1: Math.max(last.box.x1, item.box.x1), y1: Math.max(last.box.y1, item.box.y1) }
    last.lastBaseline = last.box.y1
    last.firstBaseline = last.box.y1
    return
  }
  const p = emptyParagraph(
    item.box,
    placed.page,
    out.findLast((b) => b.kind === 'paragraph'),
  )
  const left = item.box.x0 - frame.x0
  const right = frame.x1 - item.box.x1
  if (left > minRoom && Math.abs(left - right) < minRoom) p.align = 'center'
  else if (right < sameIndent && left > minRoom) p.align = 'right'
  else p.left = Math.max(0, left)
  p.pictures.push({ picture: item.picture, placement: 'inline' })
  out.push(p)
}

function anchorPicture(out: Block[], item: PictureItem, placed: ColumnContent): void {
  const host =
    out.find((b): b is Paragraph => b.kind === 'paragraph' && b.box.y1 > item.box.y0) ??
    out.findLast((b): b is Paragraph => b.kind === 'paragraph')
  const overText = placed.items.some(
    (i) =>
      i.kind === 'line' &&
      i.textRuns.some((p) =>
        p.words.some(
          (w) =>
            w.box.x0 > item.box.x0 &&
            w.box.x1 < item.box.x1 &&
            p.baseline > item.box.y0 &&
            p.baseline < item.box.y1,
        ),
      ),
  )
  const picture = { picture: item.picture, placement: overText ? ('behind' as const) : ('wrap' as const) }
  if (host) host.pictures.push(picture)
  else {
    const p = emptyParagraph(item.box, placed.page, undefined)
    p.pictures.push({ ...picture, placement: 'inline' })
    out.push(p)
  }
}

/** Vertical text becomes ordinary paragraphs after the other blocks of its page. */
export function turnedBlocks(textRuns: readonly TextRun[], page: number, context: Context): Block[] {
  return [...textRuns]
    .sort((a, b) => a.order - b.order)
    .flatMap((textRun) => {
      const line: TextLine = {
        kind: 'line',
        box: textRun.box,
        baseline: textRun.baseline,
        textRuns: [{ ...textRun, tag: undefined }],
      }
      const frame = { x0: textRun.box.x0, x1: textRun.box.x0 + 10_000 }
      return splitParagraphs([line], frame, context.linePitch).map((found) => ({
        ...buildParagraph(found, frame, page, context),
        label: '',
        aside: true,
      }))
    })
}

// A frame or a colour bar around one paragraph becomes borders and fill of the paragraph, not a table of one cell: many
// headings are set like this.

/** Maximum distance between borders and text in Word, in points. */
export const farthestBorder = 31
/** The thinnest border that every program paints, in points. */
const thinBorder = 0.5

/** The cell of a table with a single cell that contains only lines of upright text. */
function onlyCell(table: FoundTable): FoundCell | undefined {
  const [cell, ...others] = table.cells
  if (!cell || others.length > 0 || table.xs.length !== 2 || table.ys.length !== 2) return undefined
  if (cell.textRuns.length === 0 || cell.pictures.length > 0 || cell.tables.length > 0) return undefined
  return cell.textRuns.every((p) => p.turn === 0) ? cell : undefined
}

/** The content of the cell as a paragraph of the column, if it is one; it was built in the frame `inner`. */
function withFrame(
  blocks: readonly Block[],
  cell: FoundCell,
  inner: Frame,
  frame: Frame,
): Paragraph | undefined {
  const [p, ...others] = blocks
  if (p?.kind !== 'paragraph' || others.length > 0) return undefined
  const top = lineTop({ ...p, baseline: p.firstBaseline }) - cell.box.y0
  const bottom = cell.box.y1 - lineBottom({ ...p, baseline: p.lastBaseline })
  if (Math.max(top, bottom) > farthestBorder) return undefined
  const shift = inner.x0 - frame.x0
  // A filled bar without borders gets borders in its colour, which give it its height.
  const painted = cell.fill ? { width: thinBorder, color: cell.fill } : undefined
  const borders = { ...(painted ? { top: painted, bottom: painted } : {}), ...cell.borders }
  return {
    ...p,
    left: p.left + shift,
    right: p.right + frame.x1 - inner.x1,
    textAt: p.textAt + shift,
    tabs: p.tabs.map((t) => ({ ...t, at: t.at + shift })),
    fill: cell.fill,
    borders,
    borderSpace: { top: Math.max(0, top), bottom: Math.max(0, bottom) },
  }
}
