import { partLines } from './block-lines.ts'
import { type Part, plainText, type Run } from './content.ts'

// GitHub Flavored Markdown with a heading for every sheet or slide. Pictures are at the end, so that the text stays
// readable; a merged cell is at its first position.

export function* markdownLines(parts: readonly Part[]): Generator<string> {
  const pictures = new Map<string, string>()
  yield* partLines(parts, {
    title: (text) => `## ${inline([text])}`,
    notes: '### Notes',
    paragraph: (text) => guarded(inline(text, '  \n')),
    item: (text) => guarded(inline(text, ' ')),
    indent: '    ',
    row(cells, index) {
      const texts = cells.map((text) => inline(text, '<br>').replaceAll('|', '\\|'))
      const rule = index === 0 ? `|${' --- |'.repeat(cells.length)}\n` : ''
      return `| ${texts.join(' | ')} |\n${rule}`
    },
    picture({ type, base64, description }) {
      const data = `data:${type};base64,${base64}`
      const name = pictures.get(data) ?? `picture-${pictures.size + 1}`
      pictures.set(data, name)
      return `![${inline([description])}][${name}]\n\n`
    },
  })
  for (const [data, name] of pictures) yield `[${name}]: ${data}\n`
}

const inline = (runs: readonly Run[], lineBreak = ' '): string =>
  runs
    .map((run) =>
      typeof run === 'string'
        ? escaped(run)
        : `[${escaped(plainText([run]))}](${run.link.replaceAll(/[()<>\\|]/g, percentEncoded)})`,
    )
    .join('')
    .trim()
    .replaceAll(/(?<!\s)\s*\n\s*/g, lineBreak)

const percentEncoded = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Characters that are markup in any position, and ampersands that would begin an entity; an underscore within a word is
 * not markup.
 */
const escaped = (text: string): string =>
  text.replaceAll(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|&(?=#?\w+;)/gu, '\\$&')

/** Escapes a paragraph that would parse as a heading, a list, a quote or a rule. */
const guarded = (text: string): string =>
  text.replace(/^(#{1,6}(?=\s|$)|[-+>]|={2,}$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
