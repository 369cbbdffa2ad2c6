import type { Paragraph, Run } from '../blocks/block.ts'
import { fieldText } from './controls.ts'

// The text of a paragraph on one line of Markdown.

/** Characters that are markup wherever they stand, and ampersands that would begin an entity. */
const markup = /[\\`*_[\]<>]|&(?=#?\w+;)/g

export const escapeText = (text: string): string => text.replace(markup, '\\$&').replace(/[\t\n]+/g, ' ')

/** Amounts of money that a reader of formulas would take for one. */
const looksLikeFormula = /(?<![\\\w])\$(?=\S)[^$\n]*\S\$(?!\d)/

const escapeDollars = (text: string): string =>
  looksLikeFormula.test(text) ? text.replaceAll('$', '\\$') : text

function runText(run: Run): string {
  if (run.note !== undefined) return `[^${run.note}]${/\s$/.test(run.text) ? ' ' : ''}`
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(run.text) ?? []
  if (!core) return run.text.replace(/[\t\n]+/g, ' ')
  const { style } = run
  let out = style.font.mono ? codeSpan(core) : escapeText(core)
  if (style.strike) out = `~~${out}~~`
  if (style.bold) out = `**${out}**`
  if (style.italic) out = `*${out}*`
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
  // Where a whole paragraph is of fixed width, the font is its look and no mark of code.
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
  return escapeDollars(merged(runs).map(runText).join(''))
    .replace(/[\t ]+/g, ' ')
    .trim()
}

/** Runs that Markdown cannot tell apart are one. */
function merged(runs: readonly Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last && last.note === undefined && run.note === undefined && looksSame(last, run))
      last.text += run.text
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
