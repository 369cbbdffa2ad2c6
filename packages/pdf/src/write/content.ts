import { type Block, blocksIn, isBox, paragraphsOf, type Run } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/heading-levels.ts'
import type { WordDocument } from '../sections/section.ts'
import { fieldText } from './controls.ts'
import { toLatex } from './formulas/latex.ts'

// Where the pages of the PDF begin, to mark them in the output on request.

/** Page numbers by the first block of the page. */
export type PageMarks = ReadonlyMap<Block, number>

export const noMarks: PageMarks = new Map()

/** `numbers` are the page numbers in the PDF; by default pages are counted from 1. */
export function findPageMarks(document: WordDocument, numbers: readonly number[] = []): PageMarks {
  const marks = new Map<Block, number>()
  let page = -1
  const look = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.page > page) marks.set(block, numbers[block.page] ?? block.page + 1)
      page = Math.max(page, block.page)
      if (isBox(block)) look(blocksIn(block))
    }
  }
  look(document.sections.flatMap((section) => section.blocks))
  return marks
}

/** Markdown and HTML have no level above the first: a title takes it, and other headings move down by one. */
export function headingLevels(document: WordDocument): (heading: number) => number {
  const blocks: Block[] = document.sections.flatMap((s) => s.blocks)
  const hasTitle = [...paragraphsOf(blocks)].some((p) => p.heading === 0)
  return (heading) => Math.max(1, Math.min(deepestLevel, heading + (hasTitle ? 1 : 0)))
}

/** How the marker of a footnote is written. */
type NoteMark = (id: number) => string

const inBrackets: NoteMark = (id) => `[${id}]`

/** Formulas are LaTeX. */
export const plainText = (runs: readonly Run[], noteMark = inBrackets): string =>
  runs
    .map((run) => {
      if (run.note !== undefined) return noteMark(run.note)
      return run.style.math ? toLatex(run.style.math.tree) : fieldText(run)
    })
    .join('')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()

/** Paragraphs and rows of nested tables are separated by `between`. */
export const textOfBlocks = (blocks: readonly Block[], between = '\n', noteMark = inBrackets): string =>
  blocks
    .map((block) =>
      block.kind === 'paragraph'
        ? plainText(block.runs, noteMark)
        : block.rows
            .map(({ cells }) => cells.map((cell) => textOfBlocks(cell.blocks, ' ', noteMark)).join(' '))
            .join(between),
    )
    .filter((text) => text !== '')
    .join(between)
