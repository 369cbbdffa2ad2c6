import { type Block, blocksIn, isBox, type Paragraph, type Table } from '../blocks/block.ts'
import { joinListings } from '../blocks/listings.ts'
import type { WordDocument } from '../sections/section.ts'
import { headingLevels, noMarks, type PageMarks } from './content.ts'
import { display, escapeText, inline } from './markdown-inline.ts'
import { isOrnament, pictureData } from './part.ts'
import { hasMergedCells, plainTableHtml } from './plain-table.ts'

// Markdown (CommonMark with pipe tables, footnotes and formulas between dollars). Running headers and footers are
// omitted.

export interface MarkdownOptions {
  /** `mark` writes an empty image in place of a picture, so that it is not overlooked. */
  pictures?: 'mark' | 'embed' | 'none'
  /** Become HTML comments. */
  marks?: PageMarks
}

/** Escapes a paragraph that would parse as a list, a heading, a quote, a rule or a fence. */
const guard = (text: string): string =>
  text.replace(/^(#{1,6}(?=\s|$)|[-+](?=\s|$)|-{3,}$|={2,}$|~{3,})/, '\\$1')
const guardNumber = (text: string): string => text.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

function picturesOf(p: Paragraph, options: MarkdownOptions): string {
  if (options.pictures === 'none') return ''
  return p.pictures
    .filter(({ picture }) => !isOrnament(picture))
    .map(({ picture }) => {
      const alt = escapeText(picture.alt.replace(/\s+/g, ' ').trim()) || 'picture'
      return `![${alt}](${options.pictures === 'embed' ? pictureData(picture) : ''})`
    })
    .join(' ')
}

function pipeTable(t: Table): string {
  const width = t.columns.length
  const rows = t.rows.map((row, i) => {
    const cells = Array.from({ length: width }, () => '')
    for (const cell of row.cells)
      if (cell.column < width) cells[cell.column] = flat(cell.blocks, i === 0).replaceAll('|', '\\|')
    return `| ${cells.join(' | ')} |`
  })
  const [head = '', ...rest] = rows
  return [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n')
}

/** On one line. A header row is bold by default. */
const flat = (blocks: readonly Block[], isHead = false): string =>
  blocks
    .map((b) =>
      b.kind === 'paragraph'
        ? inline(b, isHead)
        : b.rows.map((r) => r.cells.map((c) => flat(c.blocks)).join(' ')).join(' '),
    )
    .filter((text) => text)
    .join(' ')

const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

export function writeMarkdown(document: WordDocument, options: MarkdownOptions = {}): string {
  const { marks = noMarks } = options
  const out: string[] = []
  const counters = new Map<number, number>()
  const levelOf = headingLevels(document)
  let inList = false
  const add = (text: string, isItem = false): void => {
    if (!text) return
    if (out.length > 0) out.push(isItem && inList ? '\n' : '\n\n')
    out.push(text)
    inList = isItem
  }
  const addBlocks = (blocks: readonly Block[]): void => {
    const counted = countedParagraphs(blocks)
    for (const { block, listing } of joinListings(blocks)) {
      if (marks.has(block)) add(`<!-- page ${marks.get(block)} -->`)
      if (listing !== undefined) add(fenced(listing))
      else if (block.kind === 'paragraph') {
        add(picturesOf(block, options))
        const text = paragraph(block, counters, levelOf)
        // The comment ends the preceding list.
        if (counted.get(block)) add('<!-- -->')
        add(counted.has(block) || block.list ? text : guardNumber(text), block.list !== undefined)
      } else if (isBox(block)) addBlocks(blocksIn(block))
      else add(hasMergedCells(block) ? plainTableHtml(block) : pipeTable(block))
    }
  }
  addBlocks(document.sections.flatMap((s) => s.blocks))
  for (const note of document.notes) add(`[^${note.id}]: ${flat(note.blocks)}`)
  for (const remark of document.remarks) add(`*${escapeText(remark)}*`)
  return `${out.join('').trimStart()}\n`
}

function paragraph(
  p: Paragraph,
  counters: Map<number, number>,
  levelOf: (heading: number) => number,
): string {
  if (p.heading !== undefined) {
    const text = inline(p, true)
    return text && `${'#'.repeat(levelOf(p.heading))} ${text}`
  }
  if (!p.list) return display(p) ?? guard(inline(p))
  const { id, level, format, pattern, start, written } = p.list
  const indent = '    '.repeat(level)
  // Markdown numbers items consecutively; a multi-level number (`9.1.4.`) is kept as written.
  if (/\d.*%/.test(pattern)) return `${indent}- ${written.trim()} ${inline(p)}`
  const number = counters.get(id) ?? start
  counters.set(id, number + 1)
  return `${indent}${format === 'bullet' ? '-' : `${Math.max(1, number)}.`} ${inline(p)}`
}

// Typed numbers before paragraphs: `153. A rocket …`. Markdown parses such a paragraph as a list item and numbers it
// consecutively, regardless of the number in the text. If this gives the same number, it is what the author meant;
// otherwise the full stop is escaped.

const typed = /^(\d{1,9})([.)])(?=\s|$)/

interface Numbered {
  at: number
  mark: string
}

function numberOf(b: Block): Numbered | undefined {
  if (b.kind !== 'paragraph' || b.heading !== undefined || b.list) return undefined
  const [, digits, mark] = typed.exec(b.text) ?? []
  return digits && mark ? { at: Number(digits), mark } : undefined
}

/**
 * Paragraphs whose typed number follows the previous one or is followed by the next: Markdown parses them as list
 * items. `true` if such a paragraph directly follows an item of another list, which must end before it.
 */
function countedParagraphs(blocks: readonly Block[]): Map<Paragraph, boolean> {
  const numbered = blocks.flatMap((b, i) => {
    const number = numberOf(b)
    return number ? [{ ...number, paragraph: b as Paragraph, before: blocks[i - 1] }] : []
  })
  const follows = (a: Numbered | undefined, b: Numbered | undefined): boolean =>
    a !== undefined && b !== undefined && a.mark === b.mark && b.at === a.at + 1
  const counted = numbered.filter((own, i) => follows(numbered[i - 1], own) || follows(own, numbered[i + 1]))
  return new Map(
    counted.map(({ paragraph, before }) => [
      paragraph,
      before?.kind === 'paragraph' && before.list !== undefined,
    ]),
  )
}
