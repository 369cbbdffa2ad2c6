import type { Block, Paragraph, PlacedPicture, Run, Table } from '../blocks/block.ts'
import { joinListings } from '../blocks/listings.ts'
import { familyOf } from '../font-names.ts'
import type { WordDocument } from '../sections/section.ts'
import { pointsPerInch } from '../typography.ts'
import { headingLevels, noMarks, type PageMarks } from './content.ts'
import { fieldText } from './controls.ts'
import { toMathml } from './formulas/mathml.ts'
import { pictureData } from './part.ts'
import { tableHtml } from './plain-table.ts'
import { escapeXml } from './xml.ts'

// One HTML page with embedded pictures. Structure becomes elements; formatting is kept if it carries meaning.

const generic = { roman: 'serif', swiss: 'sans-serif', modern: 'monospace' }

function runHtml(run: Run, isCode: boolean, isBlock = false): string {
  if (run.note !== undefined)
    return `<sup><a href="#note-${run.note}">${run.note}</a></sup>${/\s$/.test(run.text) ? ' ' : ''}`
  if (run.style.math) return toMathml(run.style.math.tree, isBlock) + (/\s$/.test(run.text) ? ' ' : '')
  let out = escapeXml(fieldText(run)).replaceAll('\t', ' ').replaceAll('\n', '<br>')
  const { style } = run
  if (isCode && out.trim()) out = `<code>${out}</code>`
  if (style.script) out = style.script === 'super' ? `<sup>${out}</sup>` : `<sub>${out}</sub>`
  if (style.strike) out = `<s>${out}</s>`
  if (style.underline && !style.link) out = `<u>${out}</u>`
  if (style.italic) out = `<em>${out}</em>`
  if (style.bold) out = `<strong>${out}</strong>`
  if (style.color !== '000000' && !style.link) out = `<span style="color:#${style.color}">${out}</span>`
  if (style.link?.uri && /^(https?|mailto|ftp):/i.test(style.link.uri))
    out = `<a href="${escapeXml(style.link.uri)}">${out}</a>`
  return out
}

/** The CSS pixel, regardless of the screen. */
const pixelsPerInch = 96

function pictureHtml({ picture }: PlacedPicture): string {
  const width = Math.round(((picture.box.x1 - picture.box.x0) * pixelsPerInch) / pointsPerInch)
  return `<img src="${pictureData(picture)}" width="${width}" alt="${escapeXml(picture.alt)}">`
}

function inner(p: Paragraph): string {
  // In a paragraph that is entirely monospaced, the font is the look of the text and does not mark code.
  const fixed = p.runs.every((r) => r.style.font.mono || !r.text.trim())
  const isFormula = p.runs.length === 1 && p.runs[0]?.style.math !== undefined
  const runs = p.runs.map((r) => runHtml(r, r.style.font.mono && !fixed, isFormula))
  return p.pictures.map(pictureHtml).join('') + runs.join('')
}

interface HtmlContext {
  marks: PageMarks
  levelOf: (heading: number) => number
}

function paragraphHtml(p: Paragraph, { levelOf }: HtmlContext): string {
  const content = inner(p)
  if (!content) return ''
  const direction = p.rtl ? ' dir="rtl"' : ''
  const align = p.align === 'left' ? '' : ` style="text-align:${p.align}"`
  if (p.heading !== undefined) {
    const tag = `h${levelOf(p.heading)}`
    return `<${tag}${direction}${align}>${content}</${tag}>`
  }
  return `<p${direction}${align}>${content}</p>`
}

const tableOf = (table: Table, context: HtmlContext): string =>
  tableHtml(
    table,
    (row) => row.header,
    (cell) => blocksHtml(cell.blocks, context),
    ({ fill }) => (fill ? ` style="background:#${fill}"` : ''),
  )

/** Consecutive items are one list; deeper items are lists inside the item before them. */
function blocksHtml(blocks: readonly Block[], context: HtmlContext): string {
  let out = ''
  const open: string[] = []
  const closeTo = (depth: number): void => {
    while (open.length > depth) out += `</li></${open.pop()}>`
  }
  for (const { block, listing } of joinListings(blocks)) {
    const mark = markHtml(context.marks.get(block))
    if (listing !== undefined) {
      closeTo(0)
      out += `${mark}<pre><code>${escapeXml(listing)}</code></pre>\n`
      continue
    }
    const list = block.kind === 'paragraph' ? block.list : undefined
    if (!list) {
      closeTo(0)
      out += mark + (block.kind === 'table' ? tableOf(block, context) : paragraphHtml(block, context))
      out += '\n'
      continue
    }
    const tag = list.format === 'bullet' ? 'ul' : 'ol'
    const depth = list.level + 1
    closeTo(depth)
    if (open.length === depth && open.at(-1) !== tag) closeTo(depth - 1)
    if (open.length === depth) out += '</li>'
    while (open.length < depth) {
      const type =
        {
          lowerLetter: ' type="a"',
          upperLetter: ' type="A"',
          lowerRoman: ' type="i"',
          upperRoman: ' type="I"',
        }[list.format] ?? ''
      const start = tag === 'ol' && list.start !== 1 ? ` start="${list.start}"` : ''
      out += `<${tag}${type}${start}>${open.length + 1 < depth ? '<li>' : ''}`
      open.push(tag)
    }
    out += `<li>${mark}${inner(block as Paragraph)}`
  }
  closeTo(0)
  return out
}

/** Invisible: a link target, and the page number for screen readers. */
const markHtml = (page: number | undefined): string =>
  page === undefined ? '' : `<span id="page-${page}" role="doc-pagebreak" aria-label="${page}"></span>`

/** `marks` become link targets. */
export function writeHtml(document: WordDocument, marks: PageMarks = noMarks): string {
  const { properties } = document
  const context: HtmlContext = { marks, levelOf: headingLevels(document) }
  const first = document.sections
    .flatMap((s) => s.blocks)
    .find((b): b is Paragraph => b.kind === 'paragraph' && b.runs.length > 0)
  const family = first?.runs[0] ? familyOf(first.runs[0].style.font) : undefined
  const font = family
    ? `"${escapeXml(family.name).replaceAll('&quot;', '')}",${generic[family.kind]}`
    : 'serif'
  const notes = document.notes
    .map((n) => `<li id="note-${n.id}">${blocksHtml(n.blocks, context)}</li>`)
    .join('\n')
  const lang = /^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(properties.language)
    ? ` lang="${properties.language}"`
    : ''
  return `<!DOCTYPE html>
<html${lang}>
<head>
<meta charset="utf-8">
<title>${escapeXml(properties.title || 'Document')}</title>
<style>
body { max-width: 50em; margin: 2em auto; padding: 0 1em; font-family: ${font.replaceAll('<', '')}; line-height: 1.4 }
table { border-collapse: collapse } td, th { border: 1px solid #999; padding: 2px 6px; vertical-align: top }
td p, th p { margin: 0 } img { max-width: 100% }
</style>
</head>
<body>
${document.sections.map((s) => blocksHtml(s.blocks, context)).join('\n')}
${notes ? `<hr>\n<ol>\n${notes}\n</ol>` : ''}
${document.remarks.map((r) => `<p><em>${escapeXml(r)}</em></p>`).join('\n')}
</body>
</html>
`
}
