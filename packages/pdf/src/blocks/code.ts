import { nearlyAll } from '../tolerances.ts'
import { type Block, type Paragraph, paragraphsOf, type Run, textOf } from './block.ts'

// Code: paragraphs set in a monospaced font keep their lines and their indents.

/** Characters that programs and their messages begin lines with. Word processors set bullets in a different font. */
const typedSign = /^[-*oO]$/

/**
 * If the document's body font is monospaced, nothing is code. Otherwise a dash or an asterisk before a line of code is
 * not a bullet.
 */
export function findFixed(blocks: Block[]): Block[] {
  const all = [...paragraphsOf(blocks)]
  const length = (runs: readonly Run[]): number => runs.reduce((sum, r) => sum + r.text.length, 0)
  const fixed = all.reduce((sum, p) => sum + length(p.runs.filter((r) => r.style.font.mono)), 0)
  const isRare = fixed <= nearlyAll * all.reduce((sum, p) => sum + length(p.runs), 0)
  for (const p of all) {
    if (!isRare) p.code = undefined
    else if (p.code && typedSign.test(p.label)) p.label = ''
  }
  return blocks
}

/** Keeps `code` only on paragraphs that are code. */
export function findCode(blocks: Block[]): Block[] {
  const free = new Set(blocks)
  for (const p of paragraphsOf(blocks)) {
    const isText = p.heading !== undefined || p.list || p.align === 'center' || p.hidden
    // A single line in a cell is a name, not a listing.
    const isLine = p.lines === 1 && !free.has(p)
    if (isText || isLine) p.code = undefined
    else if (p.code && p.lines > 1) keepLines(p)
  }
  return blocks
}

function keepLines(p: Paragraph): void {
  const lines = p.code ?? []
  const minColumn = Math.min(...lines.map((l) => l.column))
  const out: Run[] = []
  for (const [i, line] of lines.entries()) {
    const [first, ...rest] = line.runs
    if (!first) continue
    out.push(
      { ...first, text: `${i > 0 ? '\n' : ''}${' '.repeat(line.column - minColumn)}${first.text}` },
      ...rest,
    )
  }
  p.runs = out
  p.text = textOf(out)
  p.align = 'left'
  p.left = Math.max(0, Math.min(p.left, p.left + p.first))
  p.first = 0
  p.tabs = []
}
