import type { Block, Run, Table } from '../blocks/block.ts'
import { fieldText } from './controls.ts'
import { toLatex } from './formulas/latex.ts'
import { escapeXml } from './xml.ts'

// Serializes a table as HTML for Markdown, whose own tables have no merged cells. It must not contain a blank line,
// which would end the HTML block.

export const hasMergedCells = (t: Table): boolean =>
  t.rows.some((r) => r.cells.some((c) => c.columnSpan > 1 || c.rowSpan > 1))

function runHtml(run: Run, isHead: boolean): string {
  if (run.note !== undefined) return `<sup>${run.note}</sup>`
  if (run.style.math) return `$${escapeXml(toLatex(run.style.math.tree))}$${/\s$/.test(run.text) ? ' ' : ''}`
  let out = escapeXml(fieldText(run)).replace(/\s+/g, ' ')
  const { style } = run
  if (!out.trim()) return out
  if (style.script) out = style.script === 'super' ? `<sup>${out}</sup>` : `<sub>${out}</sub>`
  if (style.italic) out = `<em>${out}</em>`
  if (style.bold && !isHead) out = `<strong>${out}</strong>`
  if (style.link?.uri && /^(https?|mailto):/i.test(style.link.uri))
    out = `<a href="${escapeXml(style.link.uri)}">${out}</a>`
  return out
}

const blockHtml = (block: Block, isHead: boolean): string =>
  block.kind === 'table'
    ? plainTableHtml(block)
    : block.runs
        .map((r) => runHtml(r, isHead))
        .join('')
        .trim()

export function plainTableHtml(t: Table): string {
  const rows = t.rows.map((row, i) => {
    const isHead = row.header || i === 0
    const tag = isHead ? 'th' : 'td'
    const cells = row.cells
      .filter((c) => !c.continued)
      .map((c) => {
        const spans = `${c.columnSpan > 1 ? ` colspan="${c.columnSpan}"` : ''}${c.rowSpan > 1 ? ` rowspan="${c.rowSpan}"` : ''}`
        const content = c.blocks
          .map((b) => blockHtml(b, isHead))
          .filter((x) => x)
          .join('<br>')
        return `<${tag}${spans}>${content}</${tag}>`
      })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table${t.rtl ? ' dir="rtl"' : ''}>\n${rows.join('\n')}\n</table>`
}
