import { texTokens } from './tex-tokens.ts'

// Pandoc refuses a document with a definition such as `\def\name#1 #2\par{…}`, whose arguments end with a space or a
// command. Such definitions go: where they are used, their arguments are text.

const token = texTokens(
  String.raw`(?<definition>\\[gex]?def\s{0,3}\\(?:[A-Za-z@]+\s{0,3}|[^A-Za-z@]))(?<parameters>[^{}%\n]{1,100})(?=\{)`,
)

export function withoutDelimitedDefinitions(latex: string): string {
  if (!/\\[gex]?def\s{0,3}\\/.test(latex)) return latex
  let kept = ''
  let at = 0
  for (const match of latex.matchAll(token)) {
    const { parameters } = match.groups ?? {}
    if (match.index < at || parameters === undefined || !/[\s\\]/.test(parameters)) continue
    const end = endOfGroup(latex, match.index + match[0].length)
    if (end === undefined) continue
    kept += latex.slice(at, match.index)
    at = end
  }
  return kept + latex.slice(at)
}

const maxDefinition = 10_000

/** After the `}` of the `{` at this index. */
function endOfGroup(latex: string, start: number): number | undefined {
  let depth = 0
  for (let index = start; index < Math.min(latex.length, start + maxDefinition); index++) {
    const character = latex[index]
    if (character === '\\') index++
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return index + 1
  }
  return undefined
}
