import type { Paragraph, Run } from '../blocks/block.ts'
import { fieldText } from './controls.ts'
import { toLatex } from './formulas/latex.ts'

// Serializes the text of a paragraph on one line of Markdown.

/** Characters that are markup in any position, and ampersands that would begin an entity. */
const markup = /[\\`*_[\]<>]|&(?=#?\w+;)/g

export const escapeText = (text: string): string => text.replace(markup, '\\$&').replace(/[\t\n]+/g, ' ')

/** Amounts of money that a Markdown parser with formulas would mistake for a formula. */
const looksLikeFormula = /(?<![\\\w])\$(?=\S)[^$\n]*\S\$(?!\d)/

function runText(run: Run, hasFormulas: boolean): string {
  if (run.note !== undefined) return `[^${run.note}]${/\s$/.test(run.text) ? ' ' : ''}`
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(run.text) ?? []
  if (!core) return run.text.replace(/[\t\n]+/g, ' ')
  const { style } = run
  if (style.math) return `${before}$${toLatex(style.math.tree)}$${after}`
  let out = style.font.mono ? codeSpan(core) : escapeText(core)
  if (hasFormulas && !style.font.mono) out = out.replaceAll('$', '\\$')
  if (style.strike) out = `~~${out}~~`
  if (style.bold && /[\p{L}\p{N}]/u.test(core)) out = `**${out}**`
  if (style.italic && /[\p{L}\p{N}]/u.test(core)) out = `*${out}*`
  if (style.link?.uri && /^(https?|mailto):/i.test(style.link.uri))
    out = `[${out}](${style.link.uri.replace(/[()\s]/g, encodeURIComponent)})`
  return before + out + after
}

function codeSpan(text: string): string {
  const flat = text.replace(/[\t\n]+/g, ' ')
  if (!flat.includes('`')) return `\`${flat}\``
  return `\`\` ${flat} \`\``
}

export function inline(p: Paragraph, plainBold = false): string {
  // In a paragraph that is entirely monospaced, the font is the look of the text and does not mark code.
  const plainFixed = p.runs.every((r) => r.style.font.mono || !r.text.trim())
  const runs = p.runs.map((r) => ({
    ...r,
    text: fieldText(r),
    style: {
      ...r.style,
      bold: r.style.bold && !plainBold,
      font: plainFixed ? { ...r.style.font, mono: false } : r.style.font,
    },
  }))
  const all = merged(runs)
  const hasFormulas = all.some((r) => r.style.math) || looksLikeFormula.test(all.map((r) => r.text).join(''))
  return all
    .map((r) => runText(r, hasFormulas))
    .join('')
    .replace(/[\t ]+/g, ' ')
    .trim()
}

/** The formulas of a paragraph that contains nothing else, except the equation number at the end of its line. */
export function display(p: Paragraph): string | undefined {
  const runs = p.runs.filter((r) => r.text.trim() !== '')
  const last = runs.at(-1)
  const number =
    last && !last.style.math ? /^\s*\((\w{1,4}(?:\.\w{1,4})?)\)\s*$/.exec(last.text)?.[1] : undefined
  const formulas = number === undefined ? runs : runs.slice(0, -1)
  if (formulas.length === 0 || !formulas.every((r) => r.style.math || /^[\s.,;:]*$/.test(r.text)))
    return undefined
  const text = formulas
    .map((r) => (r.style.math ? toLatex(r.style.math.tree) : r.text.trim()))
    .join(' \\quad ')
  return `$$${text.replace(/ \\quad (?=[.,;:])/g, '')}${number === undefined ? '' : ` \\tag{${number}}`}$$`
}

/** Merges runs with the same Markdown formatting. */
function merged(runs: readonly Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    const isPlain = (r: Run): boolean => r.note === undefined && !r.style.math
    if (last && isPlain(last) && isPlain(run) && looksSame(last, run)) last.text += run.text
    else out.push({ ...run })
  }
  return out
}

function looksSame({ style: a }: Run, { style: b }: Run): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.strike === b.strike &&
    a.font.mono === b.font.mono &&
    a.link?.uri === b.link?.uri
  )
}
