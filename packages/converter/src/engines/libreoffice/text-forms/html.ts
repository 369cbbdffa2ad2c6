import type { Block, Part, Row, Run } from './content.ts'
import { gridOf } from './grid.ts'

// One page with a section for every sheet or slide and embedded pictures, without external resources or scripts.

export function* htmlLines(parts: readonly Part[], style: string): Generator<string> {
  const title = parts.find((part) => part.title !== '')?.title ?? 'Untitled'
  yield '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
  yield `<title>${escaped(title)}</title>\n<style>\n${style}\nbody { max-width: 64rem; }\n</style>\n</head>\n<body>\n`
  for (const { title: heading, blocks, notes } of parts) {
    yield '<section>\n'
    if (heading !== '') yield `<h2 dir="auto">${escaped(heading)}</h2>\n`
    yield* blockLines(blocks)
    if (notes.length > 0) yield '<h3>Notes</h3>\n'
    yield* blockLines(notes)
    yield '</section>\n'
  }
  yield '</body>\n</html>\n'
}

function* blockLines(blocks: readonly Block[]): Generator<string> {
  /** Open lists, from the outermost to the innermost. */
  const lists: string[] = []
  const closeTo = (depth: number) =>
    lists
      .splice(depth)
      .reverse()
      .map((tag) => `</li></${tag}>`)
      .join('')
  for (const block of blocks) {
    if (block.kind === 'item') {
      const tag = block.isNumbered ? 'ol' : 'ul'
      yield closeTo(block.depth)
      if (lists.length === block.depth && lists.at(-1) !== tag) yield closeTo(block.depth - 1)
      yield lists.length === block.depth ? '</li><li dir="auto">' : ''
      while (lists.length < block.depth) {
        lists.push(tag)
        yield `<${tag}><li dir="auto">`
      }
      yield inline(block.text)
      continue
    }
    yield `${closeTo(0)}\n`
    if (block.kind === 'paragraph') yield `<p dir="auto">${inline(block.text)}</p>\n`
    else if (block.kind === 'table') yield* tableLines(block.rows)
    else {
      const source = `data:${block.type};base64,${block.base64}`
      yield `<p><img alt="${escaped(block.description)}" src="${source}"></p>\n`
    }
  }
  yield `${closeTo(0)}\n`
}

function* tableLines(rows: readonly Row[]): Generator<string> {
  const grid = gridOf(rows)
  yield '<table>\n'
  /** For each column, the number of rows that are covered by cells of rows above. */
  const takenUntil = new Map<number, number>()
  for (const [index, { cells }] of grid.rows.entries()) {
    const [tag, before, after] = index === 0 ? ['th', '<thead>', '</thead>\n<tbody>'] : ['td', '', '']
    yield `${before}<tr>`
    for (let column = 0; column < grid.columns; ) {
      if ((takenUntil.get(column) ?? 0) > index) {
        column += 1
        continue
      }
      const cell = cells.get(column)
      const { columns, rows: high } = cell ? grid.spans(cell, index) : { columns: 1, rows: 1 }
      for (let each = 0; each < columns && high > 1; each += 1) takenUntil.set(column + each, index + high)
      const spans = (columns > 1 ? ` colspan="${columns}"` : '') + (high > 1 ? ` rowspan="${high}"` : '')
      yield `<${tag}${spans} dir="auto">${cell ? inline(cell.text) : ''}</${tag}>`
      column += columns
    }
    yield `</tr>${after}\n`
  }
  yield '</tbody>\n</table>\n'
}

const inline = (runs: readonly Run[]): string =>
  runs
    .map((run) =>
      typeof run === 'string' ? escaped(run) : `<a href="${escaped(run.link)}">${escaped(run.text)}</a>`,
    )
    .join('')
    .trim()
    .replaceAll('\n', '<br>')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark)
