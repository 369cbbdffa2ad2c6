import { admonitionIn, opening } from './admonitions.ts'
import { readableFence } from './code-fences.ts'
import { yamlFrontMatter } from './front-matter.ts'

// Changes Markdown for other programs that pandoc would take for plain text:
//
//   code fences    with more than a language
//   instructions   such as [TOC] and kramdown's {: .class} are removed
//   admonitions    become divisions that begin with their title
//   front matter   in TOML becomes YAML

const special = /```|~~~|^[ \t]*(?::::|!!! |\?\?\?|===|\{:|\[\[?_?toc)/im
/** Of Typora and Python-Markdown, GitLab, kramdown. */
const instruction = /^ {0,3}(?:\[toc\]|\[\[_?toc_?\]\]|\{:[^{}]*\})[ \t\r]*$/i
const contentsItem = /^ {0,3}(?:[*+-]|1\.)[ \t]/

export function readableMarkdown(markdown: string): string {
  const text = yamlFrontMatter(markdown)
  return special.test(text) ? readableLines(text.split('\n')).join('\n') : text
}

function readableLines(lines: readonly string[]): string[] {
  const result: string[] = []
  /** The columns where the bodies of the open admonitions begin. */
  const bodies: number[] = []
  let fence = ''
  for (const [index, whole] of lines.entries()) {
    while (isEnd(whole, bodies.at(-1))) {
      result.push('', closing(bodies), '')
      fence = ''
    }
    const line = withoutColumns(whole, 4 * bodies.length)
    if (fence === '' && isInstruction(line, lines[index + 1])) continue
    const read = readableFence(line, fence)
    const admonition = fence === '' && read.open === '' ? admonitionIn(line) : undefined
    fence = read.open
    const next = () => lines.slice(index + 1, index + 10).find((line) => line.trim() !== '') ?? ''
    const body = indentOf(whole) + 4
    if (admonition?.isIndented && indentOf(next()) >= body) {
      bodies.push(body)
      result.push('', ...opening(admonition, next()))
    } else if (admonition && !admonition.isIndented) result.push(...opening(admonition, next()))
    else result.push(read.line)
  }
  while (bodies.length > 0) result.push('', closing(bodies))
  return result
}

/** kramdown replaces the item in front of {:toc} by the contents. */
const isInstruction = (line: string, next = ''): boolean =>
  instruction.test(line) || (contentsItem.test(line) && /^ {0,3}\{:toc\}/i.test(next))

const isEnd = (line: string, body: number | undefined): boolean =>
  body !== undefined && line.trim() !== '' && indentOf(line) < body

/** Ends the innermost admonition, at the column where it began. */
function closing(bodies: number[]): string {
  const body = bodies.pop() ?? 0
  return `${' '.repeat(Math.max(0, body - 4 - 4 * bodies.length))}:::`
}

function indentOf(line: string): number {
  let columns = 0
  for (const character of line) {
    if (character === '\t') columns += 4 - (columns % 4)
    else if (character === ' ') columns += 1
    else break
  }
  return columns
}

function withoutColumns(line: string, columns: number): string {
  if (columns === 0) return line
  return ' '.repeat(Math.max(0, indentOf(line) - columns)) + line.replace(/^[ \t]+/, '')
}
