import type { Block, Run } from '../blocks/block.ts'
import { fieldText } from './controls.ts'
import { toLatex } from './formulas/latex.ts'

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
