import { applyEdits, type Bracket, bracketAt, type Edit } from './tex-edits.ts'
import { texTokens } from './tex-tokens.ts'

// Pandoc drops the labels of items in itemize and enumerate lists, and numbers as enumitem describes them. Here
//
//   labels that count, (a) (b) (c), become an enumerate list of that style
//   other labels of all items become the terms of a description list
//   labels of some items become the beginning of their text
//   label=\alph*) and start=3 become the style and the counter that pandoc reads
//
// Labels without letters and digits are bullets, and stay as they are.

const token = texTokens(
  String.raw`\\begin\{(?<begun>itemize|enumerate|description)\}|\\end\{(?<ended>itemize|enumerate|description)\}|(?<item>\\item)(?![A-Za-z@])`,
)

interface List {
  name: string
  /** The environment's name in \begin{…}. */
  start: number
  options: Bracket | undefined
  labels: (Bracket | undefined)[]
}

export function labelledLists(latex: string): string {
  if (!/\\item(?:<[^<>\n]{0,100}>)?\s{0,3}\[|\\begin\{enumerate\}\s{0,3}\[/.test(latex)) return latex
  const open: List[] = []
  const edits: Edit[] = []
  for (const match of latex.matchAll(token)) {
    const { begun, ended, item } = match.groups ?? {}
    const end = match.index + match[0].length
    if (begun !== undefined) {
      open.push({
        name: begun,
        start: match.index + '\\begin{'.length,
        options: bracketAt(latex, end),
        labels: [],
      })
    } else if (item !== undefined) open.at(-1)?.labels.push(bracketAt(latex, end))
    else if (ended !== undefined && ended === open.at(-1)?.name) {
      const endName = match.index + '\\end{'.length
      edits.push(...editsOf(open.pop() as List, endName))
    }
  }
  return applyEdits(latex, edits)
}

function editsOf({ name, start, options, labels }: List, endName: number): Edit[] {
  if (name === 'description') return []
  const shown = labels.filter((label) => label !== undefined && isShown(label.content)) as Bracket[]
  const afterName = start + name.length + 1
  const rename = (to: string, argument: string): Edit[] => [
    { start, end: options?.end ?? afterName, text: `${to}}${argument}` },
    { start: endName, end: endName + name.length, text: to },
  ]
  if (shown.length === 0) {
    const style = name === 'enumerate' ? numberStyle(options?.content ?? '') : undefined
    return style === undefined ? [] : rename(name, style)
  }
  if (shown.length < labels.length) return shown.map((label) => ({ ...label, text: `{} ${label.content} ` }))
  const counting = countingStyle(shown.map(({ content }) => plain(content)))
  if (counting === undefined) return rename('description', '')
  return [...rename('enumerate', counting), ...shown.map((label) => ({ ...label, text: '' }))]
}

/** Bytes above 127 are letters; a `\ding{43}` is a symbol. */
const isShown = (label: string): boolean =>
  /[A-Za-z0-9\x80-\xff]/.test(label.replaceAll(/\\ding\{\d+\}|\\[A-Za-z]+/g, ''))

const plain = (label: string): string => label.replaceAll(/\\[A-Za-z]+|[{}$\s]/g, '')

const listArgument = (opening: string, first: string, closing: string, number: number): string =>
  `[${opening}${first}${closing || '.'}]${number === 1 ? '' : `\\setcounter{enumi}{${number - 1}}`}`

const firstOf: Readonly<Record<string, string>> = {
  arabic: '1',
  alph: 'a',
  Alph: 'A',
  roman: 'i',
  Roman: 'I',
}

/** enumitem's description of the numbers as pandoc reads it. */
function numberStyle(options: string): string | undefined {
  const label = /label\s*=\s*([^,]+)/.exec(options)?.[1] ?? ''
  const start = Number(/start\s*=\s*(\d{1,6})/.exec(options)?.[1] ?? 1)
  const shape = plain(
    label.replaceAll(
      /\\(arabic|[aA]lph|[rR]oman)\s*(?:\*|\{enum\w+\})/g,
      (_, kind: string) => firstOf[kind] ?? '',
    ),
  )
  const [, opening, first, closing] = /^(\(?)([1aAiI])([.)]?)$/.exec(shape) ?? []
  if (first !== undefined) return listArgument(opening ?? '', first, closing ?? '', start)
  return start === 1 ? undefined : listArgument('', '1', '.', start)
}

const romans = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ')
const counters: readonly (readonly [first: string, numberOf: (text: string) => number])[] = [
  ['1', (text) => (/^\d{1,6}$/.test(text) ? Number(text) : 0)],
  ['i', (text) => romans.indexOf(text) + 1],
  ['I', (text) => (text === text.toUpperCase() ? romans.indexOf(text.toLowerCase()) + 1 : 0)],
  ['a', (text) => (/^[a-z]$/.test(text) ? text.charCodeAt(0) - 96 : 0)],
  ['A', (text) => (/^[A-Z]$/.test(text) ? text.charCodeAt(0) - 64 : 0)],
]

/** The style and the counter of labels that count up by one. */
function countingStyle(labels: readonly string[]): string | undefined {
  const parts = labels.map((label) => /^(\(?)([A-Za-z]{1,5}|\d{1,6})([.)]?)$/.exec(label))
  const [, opening = '', , closing = ''] = parts[0] ?? []
  if (!parts.every((part) => part?.[1] === opening && part[3] === closing)) return undefined
  for (const [first, numberOf] of counters) {
    const numbers = parts.map((part) => numberOf(part?.[2] ?? ''))
    const [start = 0] = numbers
    if (start > 0 && numbers.every((number, index) => number === start + index))
      return listArgument(opening, first, closing, start)
  }
  return undefined
}
