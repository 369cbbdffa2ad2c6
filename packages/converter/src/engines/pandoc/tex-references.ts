import { applyEdits, type Edit } from './tex-edits.ts'
import { Numbering } from './tex-numbering.ts'
import { createNames, type Label, type Names } from './tex-reference-names.ts'
import { texTokens } from './tex-tokens.ts'

// Pandoc shows captions without numbers, does not number equations, and drops \cref and its relatives. Here
//
//   captions               begin with their number, as LaTeX prints them
//   equations              with a label show their number
//   \ref, \eqref           to these become their number
//   \cref, \autoref, ...   become the name and the number of what they refer to
//
// Pandoc numbers sections and theorems: references to them stay \ref.

const token = texTokens(
  String.raw`\\(?<command>(?:eq|auto|[cC]|[vV]|full|name)?ref)\*?\s{0,3}\{(?<keys>[^{}]{1,300})\}`,
)

/** Parts of a document in several files are not numbered: their order is not known here. */
export function namedReferences(latex: string, isAlone: boolean): string {
  if (!/\\(?:label|ref|[A-Za-z]{1,4}ref|caption)\b/.test(latex)) return latex
  const isWhole =
    isAlone || (latex.includes('\\documentclass') && !/\\(?:input|include|subfile|import)\b/.test(latex))
  const names = createNames(latex)
  const { labels, edits } = isWhole ? new Numbering(latex, names) : { labels: new Map(), edits: [] }
  return applyEdits(latex, [...edits, ...references(latex, labels, names)])
}

function references(latex: string, labels: ReadonlyMap<string, Label>, names: Names): Edit[] {
  const edits: Edit[] = []
  for (const match of latex.matchAll(token)) {
    const { command, keys = '' } = match.groups ?? {}
    if (command === undefined) continue
    const list = keys.split(',').map((key) => key.trim())
    const first = labels.get(list[0] ?? '')
    const isPandocs =
      command === 'ref' ? first?.number === undefined : command === 'eqref' && first === undefined
    if (isPandocs) continue
    const text = command === 'nameref' ? titled(list[0] ?? '', first) : names.reference(command, list, labels)
    edits.push({ start: match.index, end: match.index + match[0].length, text })
  }
  return edits
}

const titled = (key: string, label: Label | undefined): string =>
  label?.title === undefined ? `\\ref{${key}}` : `\\hyperref[${key}]{${label.title}}`
