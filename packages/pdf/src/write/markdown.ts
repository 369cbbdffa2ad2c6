import type { Block, Paragraph, Run, Table } from '../blocks/block.ts'
import type { WordDocument } from '../sections/section.ts'
import { fieldText } from './controls.ts'

// Markdown (CommonMark with pipe tables and footnotes). Pictures and running lines have no place in it.

const escapeText = (text: string): string => text.replace(/[\\`*_[\]<>]/g, '\\$&').replace(/[\t\n]+/g, ' ')

function runText(run: Run): string {
  if (run.note !== undefined) return `[^${run.note}]${/\s$/.test(run.text) ? ' ' : ''}`
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(run.text) ?? []
  if (!core) return run.text.replace(/[\t\n]+/g, ' ')
  let out = escapeText(core)
  const { style } = run
  if (style.strike) out = `~~${out}~~`
  if (style.bold) out = `**${out}**`
  if (style.italic) out = `*${out}*`
  if (style.link?.uri && /^(https?|mailto):/i.test(style.link.uri))
    out = `[${out}](${style.link.uri.replace(/[()\s]/g, encodeURIComponent)})`
  return before + out + after
}

function inline(p: Paragraph, plainBold = false): string {
  const runs = plainBold ? p.runs.map((r) => ({ ...r, style: { ...r.style, bold: false } })) : p.runs
  return merged(runs.map((r) => ({ ...r, text: fieldText(r) })))
    .map(runText)
    .join('')
    .replace(/[\t ]+/g, ' ')
    .trim()
}

/** Runs that Markdown cannot tell apart are one. */
function merged(runs: readonly Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    const a = last?.style
    const b = run.style
    if (
      last &&
      a &&
      last.note === undefined &&
      run.note === undefined &&
      a.bold === b.bold &&
      a.italic === b.italic &&
      a.strike === b.strike &&
      a.link?.uri === b.link?.uri
    )
      last.text += run.text
    else out.push({ ...run })
  }
  return out
}

/** A paragraph must not read as something else: a list, a heading, a quote. */
const guard = (text: string): string => text.replace(/^(#{1,6}\s|[-+>]\s|\d+[.)]\s)/, (m) => `\\${m}`)

function table(t: Table): string {
  const width = t.columns.length
  const rows = t.rows.map((row) => {
    const cells = Array.from({ length: width }, () => '')
    for (const cell of row.cells)
      if (!cell.continued && cell.column < width)
        cells[cell.column] = cell.blocks
          .map((b) => (b.kind === 'paragraph' ? inline(b) : flat(b)))
          .filter((x) => x)
          .join(' ')
          .replaceAll('|', '\\|')
    return `| ${cells.join(' | ')} |`
  })
  const [head = '', ...rest] = rows
  return [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n')
}

const flat = (t: Table): string =>
  t.rows
    .map((r) =>
      r.cells.flatMap((c) => c.blocks.map((b) => (b.kind === 'paragraph' ? inline(b) : flat(b)))).join(' '),
    )
    .join(' ')

export function writeMarkdown(document: WordDocument): string {
  const out: string[] = []
  const counters = new Map<number, number>()
  let inList = false
  const blocks = document.sections.flatMap((s) => s.blocks)
  for (const block of blocks) {
    const text = write(block, counters)
    if (!text) continue
    const item = block.kind === 'paragraph' && block.list !== undefined
    if (out.length > 0) out.push(item && inList ? '\n' : '\n\n')
    out.push(text)
    inList = item
  }
  for (const note of document.notes)
    out.push(
      `\n\n[^${note.id}]: ${note.blocks.map((b) => (b.kind === 'paragraph' ? inline(b) : flat(b))).join(' ')}`,
    )
  for (const remark of document.remarks) out.push(`\n\n*${escapeText(remark)}*`)
  return `${out.join('').trimStart()}\n`
}

function write(block: Block, counters: Map<number, number>): string {
  if (block.kind === 'table')
    return block.rows.length === 1 && block.columns.length === 1 ? guard(flat(block)) : table(block)
  if (block.heading !== undefined)
    return `${'#'.repeat(Math.max(1, Math.min(6, block.heading)))} ${inline(block, true)}`
  if (!block.list) return guard(inline(block))
  const { id, level, format, start } = block.list
  const number = counters.get(id) ?? start
  counters.set(id, number + 1)
  return `${'    '.repeat(level)}${format === 'bullet' ? '-' : `${Math.max(1, number)}.`} ${inline(block)}`
}
