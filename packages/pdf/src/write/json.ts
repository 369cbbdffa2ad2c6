import { type Block, blocksIn, isBox, type Paragraph, type Table } from '../blocks/block.ts'
import { joinListings } from '../blocks/listings.ts'
import { ConversionFailure } from '../failure.ts'
import type { Box } from '../geometry.ts'
import type { WordDocument } from '../sections/section.ts'
import { headingLevels, plainText, textOfBlocks } from './content.ts'
import { isOrnament } from './part.ts'

// The document as blocks with their positions, for programs. docs/pdf-json.md describes the fields. Running headers and
// footers are omitted.

export interface JsonPage {
  /** Page number in the file, from 1. */
  number: number
  /** In points. */
  width: number
  height: number
}

interface Place {
  page: number
  /** Left, top, right and bottom in points, from the top left corner of the page. */
  bbox: [number, number, number, number]
}

interface JsonCell {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  isHeader: boolean
  text: string
}

type Content =
  | { role: 'title' | 'paragraph' | 'code' | 'formula'; text: string }
  | { role: 'heading'; level: number; text: string }
  | { role: 'list-item'; level: number; label: string; text: string }
  | { role: 'footnote'; id: number; text: string }
  | { role: 'picture'; text: string }
  | { role: 'table'; rows: number; columns: number; cells: JsonCell[]; text: string }

export type JsonBlock = Place & Content

/** `pages` are the pages that were read. */
export function writeJson(document: WordDocument, pages: readonly JsonPage[]): string {
  const levelOf = headingLevels(document)
  const place = (page: number, { x0, y0, x1, y1 }: Box): Place => ({
    page: pages[page]?.number ?? page + 1,
    bbox: [rounded(x0), rounded(y0), rounded(x1), rounded(y1)],
  })
  const blocks: JsonBlock[] = []
  const addAll = (given: readonly Block[]): void => {
    for (const { block, listing } of joinListings(given)) {
      if (listing !== undefined) blocks.push({ ...place(block.page, block.box), role: 'code', text: listing })
      else if (block.kind === 'table') {
        const isFrame: boolean = isBox(block)
        if (isFrame) addAll(blocksIn(block))
        else blocks.push({ ...place(block.page, block.box), ...tableOf(block) })
      } else {
        for (const { picture } of block.pictures)
          if (!isOrnament(picture))
            blocks.push({ ...place(block.page, picture.box), role: 'picture', text: picture.alt })
        const content = paragraphOf(block, levelOf)
        if (content.text !== '') blocks.push({ ...place(block.page, block.box), ...content })
      }
    }
  }
  addAll(document.sections.flatMap((section) => section.blocks))
  for (const { id, blocks: own } of document.notes) {
    const [first] = own
    if (first) blocks.push({ ...place(first.page, first.box), role: 'footnote', id, text: textOfBlocks(own) })
  }
  if (blocks.length === 0)
    throw new ConversionFailure('unsupported', 'The PDF holds no text and no picture: its pages are blank.')
  const { title, author, language } = document.properties
  return `${JSON.stringify({ version: 1, title, author, language, pages: pages.map(pageOf), blocks })}\n`
}

const rounded = (points: number): number => Math.round(points * 100) / 100

const pageOf = ({ number, width, height }: JsonPage): JsonPage => ({
  number,
  width: rounded(width),
  height: rounded(height),
})

function paragraphOf(paragraph: Paragraph, levelOf: (heading: number) => number): Content {
  const { heading, list, runs } = paragraph
  const text = plainText(runs)
  if (heading === 0) return { role: 'title', text }
  if (heading !== undefined) return { role: 'heading', level: levelOf(heading), text }
  if (list) return { role: 'list-item', level: list.level + 1, label: list.written.trim(), text }
  return { role: runs.length === 1 && runs[0]?.style.math ? 'formula' : 'paragraph', text }
}

function tableOf(table: Table): Content {
  const cells = table.rows.flatMap(({ cells, header }, row) =>
    cells
      .filter(({ continued }) => !continued)
      .map(({ column, rowSpan, columnSpan, blocks }): JsonCell => {
        return { row, column, rowSpan, columnSpan, isHeader: header, text: textOfBlocks(blocks) }
      }),
  )
  const lines = table.rows.map(({ cells: own }) =>
    own
      .filter(({ continued }) => !continued)
      .map(({ blocks }) => textOfBlocks(blocks, ' '))
      .join('\t'),
  )
  return {
    role: 'table',
    rows: table.rows.length,
    columns: table.columns.length,
    cells,
    text: lines.join('\n'),
  }
}
