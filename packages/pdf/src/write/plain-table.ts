import type { Block, Cell, Row, Run, Table } from '../blocks/block.ts'
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

export const plainTableHtml = (table: Table): string =>
  tableHtml(
    table,
    (row, index) => row.header || index === 0,
    ({ blocks }, isHead) =>
      blocks
        .map((b) => blockHtml(b, isHead))
        .filter((text) => text)
        .join('<br>'),
  )

export function tableHtml(
  { rows, rtl }: Table,
  isHead: (row: Row, index: number) => boolean,
  contentOf: (cell: Cell, isHead: boolean) => string,
  attributesOf: (cell: Cell) => string = () => '',
): string {
  const rowsHtml = rows.map((row, i) => {
    const tag = isHead(row, i) ? 'th' : 'td'
    const cells = row.cells
      .filter((c) => !c.continued)
      .map((c) => {
        const spans = `${c.columnSpan > 1 ? ` colspan="${c.columnSpan}"` : ''}${c.rowSpan > 1 ? ` rowspan="${c.rowSpan}"` : ''}`
        return `<${tag}${spans}${attributesOf(c)}>${contentOf(c, tag === 'th')}</${tag}>`
      })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table${rtl ? ' dir="rtl"' : ''}>\n${rowsHtml.join('\n')}\n</table>`
}
