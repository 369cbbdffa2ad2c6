import { algorithmCommands, separateStatements } from './tex-algorithms.ts'
import { shownCaptions } from './tex-captions.ts'
import { numberedCitations } from './tex-citations.ts'
import { withoutDelimitedDefinitions } from './tex-definitions.ts'
import { labelledLists } from './tex-lists.ts'
import { namedReferences } from './tex-references.ts'
import { texTokens } from './tex-tokens.ts'

// Changes LaTeX that pandoc does not read.
//
//   \input part      needs braces. Comments and verbatim text stay as they are
//   \resizebox ...   pandoc drops a command that it does not know with its arguments, a whole table for instance. Those
//                    of common packages are defined in front of the document, unless it defines them itself
//   \caption         see tex-captions.ts
//   \label, \ref    see tex-references.ts
//   \bibitem         see tex-citations.ts
//   \item[(a)]       see tex-lists.ts
//   \def\x#1 {...}   see tex-definitions.ts
//   \If, \State   see tex-algorithms.ts
//   \end{document}   is added where it is missing
//   \only<2>{...}    loses its overlay: all that a slide shows in turn is shown

const token = texTokens(
  String.raw`\\input(?:\s+|(?="))(?<name>"[^"\n]+"|[^\s{}%\\"]+)|(?<overlay>\\(?:only|onslide|uncover|visible)<[^<>\n]{0,100}>)`,
)

export function readableTex(given: string, isAlone = false): string {
  const whole = namedReferences(withEnd(withoutDelimitedDefinitions(given)), isAlone)
  const captioned = whole.includes('\\caption') ? shownCaptions(whole) : whole
  const latex = separateStatements(numberedCitations(labelledLists(captioned)))
  if (!/\\(?:input[\s"]|(?:only|onslide|uncover|visible)<)/.test(latex)) return latex
  return latex.replaceAll(token, (...match) => {
    const { name, overlay } = match.at(-1) as { name?: string; overlay?: string }
    if (overlay !== undefined) return ''
    return name === undefined ? String(match[0]) : `\\input{${name}}`
  })
}

const withEnd = (latex: string): string =>
  /\\begin\s{0,3}\{document\}/.test(latex) && !/\\end\s{0,3}\{document\}/.test(latex)
    ? `${latex}\n\\end{document}\n`
    : latex

/** Commands by what they show. Those that formulas use too are not among them. */
const commands: readonly (readonly [definition: string, names: string])[] = [
  ['[1]{#1}', 'fbox leftline rightline llap rlap hl so structure subcaption address affil email institute'],
  ['[1]{\\sout{#1}}', 'st'],
  ['[1]{\\underline{#1}}', 'uuline uwave'],
  ['[2]{#2}', 'adjustbox scalebox'],
  ['[2]{\\par #2\\par }', 'captionof'],
  ['[2][]{\\par #2\\par }', 'kilncaption cvlistitem'],
  ['[3]{#3}', 'resizebox'],
  ['[3][]{#3}', 'rotatebox'],
  ['[2][]{#2 #1}', 'subfloat'],
  ["[2][]{``#2''}", 'textquote'],
  ['[2][]{\\footnote{#2}}', 'footnotetext marginnote marginpar sidenote sidenotetext todo'],
  // Up to two optional arguments before the text.
  ['[1][]{\\kilnbox}', 'framebox makebox'],
  ['[1]{\\kilnraised}', 'raisebox'],
  ['[3][]{\\par \\textbf{#2} #3\\par }', 'cvitem cvline'],
  ['[4][]{\\par \\textbf{#2} #3 (#4)\\par }', 'cvitemwithcomment'],
  ['[5][]{\\par \\textbf{#2} #3\\par \\textbf{#4} #5\\par }', 'cvdoubleitem'],
  ['[7][]{\\par #2 \\textbf{#3} #4 #5 #6\\par #7\\par }', 'cventry'],
]
const definitionsOf = (list: typeof commands) =>
  new Map(list.flatMap(([definition, names]) => names.split(' ').map((name) => [name, definition])))
const boxes = '\\newcommand{\\kilnraised}[1][]{\\kilnbox}\\newcommand{\\kilnbox}[2][]{#2}'

/** Commands that a text defines, and environments, whose names would be taken for commands. */
const owned =
  /\\(?:\w*command|[gex]?def|let|DeclareRobustCommand)\s{0,3}\*?\s{0,3}\{?\s{0,3}\\([A-Za-z]+)|\\begin\{([A-Za-z]+)\}/g

/** Definitions of the commands that these texts use and do not define. */
export function definitionsFor(texts: readonly string[]): string {
  const definitions = definitionsOf([...commands, ...algorithmCommands(texts)])
  const [used, defined] = [new Set<string>(), new Set<string>()]
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/\\([A-Za-z]+)/g)) if (definitions.has(name)) used.add(name)
    for (const [, command, environment] of text.matchAll(owned)) defined.add(command ?? environment ?? '')
  }
  const needed = [...used].filter((name) => !defined.has(name))
  if (needed.length === 0) return ''
  return `${boxes}${needed.map((name) => `\\newcommand{\\${name}}${definitions.get(name)}`).join('')}\n`
}
