import type { Look } from './looks.ts'
import { pick, type Random, type TextSource } from './texts.ts'

// A generated document as HTML and as the Markdown of a perfect conversion.

export interface GeneratedDocument {
  html: string
  truth: string
  title: string
}

interface Written {
  html: string
  truth: string
}

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const money = (next: Random): string => `${1 + next(900)}.${10 + next(90)}`

export function makeDocument(look: Look, source: TextSource, next: Random): GeneratedDocument {
  const title = source.heading(next)
  const parts: Written[] = []
  const headings: string[] = []
  const counters = [0, 0]
  const heading = (level: 1 | 2): void => {
    const number = numberOf(look, counters, level)
    const text = `${number}${source.heading(next)}`
    headings.push(text)
    const depth = level + (look.hasTitle ? 1 : 0)
    parts.push({ html: `<h${depth}>${escapeHtml(text)}</h${depth}>`, truth: `${'#'.repeat(depth)} ${text}` })
  }
  const isInvoice = next(10) === 0
  if (isInvoice) parts.push(...invoice(source, next, look))
  const sections = isInvoice ? 0 : 2 + next(4)
  for (let section = 0; section < sections; section++) {
    heading(1)
    parts.push(paragraph(source, next))
    const blocks = 1 + next(4)
    for (let block = 0; block < blocks; block++) {
      if (next(5) === 0) heading(2)
      parts.push(pick(next, writers)(source, next, look), paragraph(source, next))
    }
  }
  const contents =
    look.contents === 'none' || headings.length < 4 ? [] : [contentsOf(headings, look.contents, next)]
  const head = look.hasTitle ? [{ html: `<h1>${escapeHtml(title)}</h1>`, truth: `# ${title}` }] : []
  const flow = parts.map((p) => p.html).join('\n')
  return {
    title,
    truth: `${[...head, ...contents, ...parts].map((p) => p.truth).join('\n\n')}\n`,
    html: `<!DOCTYPE html><html dir="${source.direction}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>
${look.css}
${source.family ? `body,h1,h2,h3 {font-family:"${source.family}","DejaVu Sans" !important}` : ''}
</style></head><body>${[...head, ...contents].map((p) => p.html).join('\n')}<div class="flow">${flow}</div></body></html>`,
  }
}

function numberOf({ numbers }: Look, counters: number[], level: 1 | 2): string {
  if (numbers === 'none') return ''
  counters[level - 1] = (counters[level - 1] ?? 0) + 1
  if (level === 1) counters[1] = 0
  const number = counters.slice(0, level).join('.')
  return numbers === 'word' && level === 1 ? `Section ${number}: ` : `${number}${level === 1 ? '.' : ''} `
}

type BlockWriter = (source: TextSource, next: Random, look: Look) => Written

function paragraph(source: TextSource, next: Random): Written {
  const text = source.paragraph(next)
  return { html: `<p>${escapeHtml(text)}</p>`, truth: text }
}

const bullets: BlockWriter = (source, next, look) => {
  const texts = items(source, next)
  const inner = look.nested ? [source.item(next), source.item(next)] : []
  const style = `style="list-style-type:${look.listMark.replaceAll('"', "'")}"`
  const own = texts.map((text, i) => {
    const below = i === 1 && inner.length > 0 ? `<ul ${style}>${inner.map(asItem).join('')}</ul>` : ''
    return `<li>${escapeHtml(text)}${below}</li>`
  })
  return {
    html: `<ul ${style}>${own.join('')}</ul>`,
    truth: texts.flatMap((t, i) => [`- ${t}`, ...(i === 1 ? inner.map((s) => `  - ${s}`) : [])]).join('\n'),
  }
}

const numbered: BlockWriter = (source, next, { numberStyle }) => {
  const texts = items(source, next)
  const type = { decimal: '1', 'lower-alpha': 'a', 'upper-alpha': 'A', 'lower-roman': 'i' }[numberStyle]
  return {
    html: `<ol type="${type}">${texts.map(asItem).join('')}</ol>`,
    truth: texts.map((t, i) => `${i + 1}. ${t}`).join('\n'),
  }
}

const items = (source: TextSource, next: Random): string[] =>
  Array.from({ length: 3 + next(5) }, () => source.item(next))
const asItem = (text: string): string => `<li>${escapeHtml(text)}</li>`

const table: BlockWriter = (source, next, look) => {
  const columns = pick(next, [2, 3, 3, 4, 5, 6, 9])
  const hasTexts = columns <= 4 && next(2) === 0
  const header = Array.from({ length: columns }, () => source.label(next))
  const rows = Array.from({ length: 2 + next(9) }, () =>
    header.map((_, i) => {
      if (i === 0) return source.label(next)
      if (hasTexts && i === columns - 1) return source.item(next)
      return next(12) === 0 ? '' : i % 2 ? String(next(3000)) : money(next)
    }),
  )
  return writeTable(header, rows, look)
}

function writeTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { tableAttributes }: Look,
): Written {
  const cell = (text: string, i: number): string =>
    `<td${/^[\d.]*$/.test(text) && i > 0 ? ' class="number"' : ''}>${escapeHtml(text)}</td>`
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((c) => c.replaceAll('|', '\\|')).join(' | ')} |`
  return {
    html: `<table ${tableAttributes}><tr>${header.map((h) => `<th>${escapeHtml(h)}</th>`).join('')}</tr>${rows.map((r) => `<tr>${r.map(cell).join('')}</tr>`).join('')}</table>`,
    truth: [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n'),
  }
}

/** Bars with a scale and a legend. Its labels are text without a defined reading order. */
const chart: BlockWriter = (source, next) => {
  const bars = Array.from({ length: 3 + next(4) }, () => ({
    label: source.label(next),
    value: 10 + next(90),
  }))
  const scale = [0, 25, 50, 75, 100]
  const drawn = [
    ...scale.map(
      (s) =>
        `<path d="M40 ${110 - s}H300" stroke="#ccc"/><text x="16" y="${113 - s}" font-size="8">${s}</text>`,
    ),
    ...bars.map(
      ({ label, value }, i) =>
        `<rect x="${50 + i * 42}" y="${110 - value}" width="26" height="${value}" fill="#47a"/><text x="${50 + i * 42}" y="122" font-size="6">${escapeHtml(label)}</text>`,
    ),
  ]
  const caption = `Figure ${1 + next(9)}: ${source.item(next)}`
  return {
    html: `<div><svg width="320" height="130">${drawn.join('')}</svg></div><p>${escapeHtml(caption)}</p>`,
    truth: `${scale.toReversed().join(' ')} ${bars.map((b) => b.label).join(' ')}\n\n${caption}`,
  }
}

const quoted: BlockWriter = (source, next) => {
  const text = source.paragraph(next)
  return { html: `<blockquote><i>${escapeHtml(text)}</i></blockquote>`, truth: text }
}

/** A bold paragraph that is not a heading: it ends like a sentence. */
const note: BlockWriter = (source, next) => {
  const text = source.paragraph(next)
  return { html: `<p><b>${escapeHtml(text)}</b></p>`, truth: text }
}

const writers: readonly BlockWriter[] = [
  paragraph,
  paragraph,
  bullets,
  bullets,
  numbered,
  numbered,
  table,
  table,
  quoted,
  note,
  (source, next, look) => (look.printer === 'chromium' ? chart : table)(source, next, look),
]

function contentsOf(headings: readonly string[], style: 'leaders' | 'plain', next: Random): Written {
  let page = 1
  const entries = headings.map((text) => {
    page += next(3)
    return { text, page }
  })
  const dots = style === 'leaders' ? 'flex:1; border-bottom:1pt dotted #000; margin:0 3pt' : 'flex:1'
  return {
    html: `<h2>Contents</h2><div class="contents">${entries.map((e) => `<p style="display:flex"><span>${escapeHtml(e.text)}</span><span style="${dots}"> </span><span>${e.page}</span></p>`).join('')}</div>`,
    truth: `## Contents\n\n${entries.map((e) => `${e.text} ${e.page}`).join('\n\n')}`,
  }
}

function invoice(source: TextSource, next: Random, look: Look): Written[] {
  const sides = [0, 1].map(() => [
    source.heading(next),
    `${1 + next(90)} ${source.label(next)}`,
    source.label(next),
  ])
  const rows = Array.from({ length: 3 + next(10) }, (_, i) => [
    String(i + 1),
    source.item(next).slice(0, 60),
    String(1 + next(20)),
    money(next),
    money(next),
  ])
  const totals = ['Subtotal', 'Tax', 'Total'].map((label) => ['', '', '', label, money(next)])
  const side = (lines: readonly string[]): string => `<td>${lines.map(escapeHtml).join('<br>')}</td>`
  return [
    {
      html: `<table style="width:100%; border:none"><tr>${sides.map(side).join('').replaceAll('<td>', '<td style="border:none; background:none">')}</tr></table>`,
      truth: sides.map((s) => s.join('\n')).join('\n\n'),
    },
    writeTable(['No.', 'Description', 'Quantity', 'Price', 'Amount'], [...rows, ...totals], look),
    paragraph(source, next),
  ]
}
