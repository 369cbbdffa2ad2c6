import { type Block, type Part, plainText, type Row, type Run } from './content.ts'
import { gridOf } from './grid.ts'
import { createListMarks } from './list-marks.ts'

// GitHub Flavored Markdown with a heading for every sheet or slide. Pictures are at the end, so that the text stays
// readable; a merged cell is at its first position.

export function* markdownLines(parts: readonly Part[]): Generator<string> {
  const pictures = new Map<string, string>()
  for (const { title, blocks, notes } of parts) {
    if (title !== '') yield `## ${inline([title])}\n\n`
    yield* blockLines(blocks, pictures)
    if (notes.length > 0) yield '### Notes\n\n'
    yield* blockLines(notes, pictures)
  }
  for (const [data, name] of pictures) yield `[${name}]: ${data}\n`
}

function* blockLines(blocks: readonly Block[], pictures: Map<string, string>): Generator<string> {
  const markOf = createListMarks()
  for (const [index, block] of blocks.entries()) {
    const mark = markOf(block)
    switch (block.kind) {
      case 'paragraph':
        yield `${guarded(inline(block.text, '  \n'))}\n\n`
        break
      case 'item':
        yield `${'    '.repeat(block.depth - 1)}${mark} ${guarded(inline(block.text, ' '))}\n`
        if (blocks[index + 1]?.kind !== 'item') yield '\n'
        break
      case 'table':
        yield* tableLines(block.rows)
        break
      case 'picture': {
        const data = `data:${block.type};base64,${block.base64}`
        const name = pictures.get(data) ?? `picture-${pictures.size + 1}`
        pictures.set(data, name)
        yield `![${inline([block.description])}][${name}]\n\n`
      }
    }
  }
}

function* tableLines(rows: readonly Row[]): Generator<string> {
  const grid = gridOf(rows)
  for (const [index, { cells }] of grid.rows.entries()) {
    const texts = Array.from({ length: grid.columns }, (_, column) => {
      const cell = cells.get(column)
      return cell ? inline(cell.text, '<br>').replaceAll('|', '\\|') : ''
    })
    yield `| ${texts.join(' | ')} |\n`
    if (index === 0) yield `|${' --- |'.repeat(grid.columns)}\n`
  }
  yield '\n'
}

const inline = (runs: readonly Run[], lineBreak = ' '): string =>
  runs
    .map((run) =>
      typeof run === 'string'
        ? escaped(run)
        : `[${escaped(plainText([run]))}](${run.link.replaceAll(/[()<>\\|]/g, percentEncoded)})`,
    )
    .join('')
    .trim()
    .replaceAll(/(?<!\s)\s*\n\s*/g, lineBreak)

const percentEncoded = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Characters that are markup in any position, and ampersands that would begin an entity; an underscore within a word is
 * not markup.
 */
const escaped = (text: string): string =>
  text.replaceAll(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|&(?=#?\w+;)/gu, '\\$&')

/** Escapes a paragraph that would parse as a heading, a list, a quote or a rule. */
const guarded = (text: string): string =>
  text.replace(/^(#{1,6}(?=\s|$)|[-+>]|={2,}$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
