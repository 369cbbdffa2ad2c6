import { texTokens } from './tex-tokens.ts'

// Pandoc shows the caption of a figure with one picture and nothing else, and that of a table. It drops all others: of
// figures with several pictures, drawings, tables or code, and of environments that it does not know, such as `figure*`.
// Those captions become paragraphs.

const token = texTokens(
  String.raw`\\begin\{(?<begun>[A-Za-z]+\*?)\}|\\end\{(?<ended>[A-Za-z]+\*?)\}|\\(?<command>includegraphics|caption\*?)(?![A-Za-z@])`,
)

const float =
  /^(?:figure|table|subfigure|subtable|longtable|algorithm|listing|SCfigure|SCtable|wrapfigure|wraptable|sidewaysfigure|sidewaystable|marginfigure|margintable)\*?$/

interface Float {
  name: string
  pictures: number
  tables: number
  hasOther: boolean
  captions: number[]
}

const isShown = ({ name, pictures, tables, hasOther, captions }: Float): boolean =>
  name === 'longtable' ||
  (/^(?:sub)?table$/.test(name) && tables > 0) ||
  (/^(?:sub)?figure$/.test(name) && pictures === 1 && !hasOther && captions.length === 1)

export function shownCaptions(latex: string): string {
  const open: Float[] = []
  const dropped: number[] = []
  for (const match of latex.matchAll(token)) {
    const { begun, ended, command } = match.groups ?? {}
    const current = open.at(-1)
    if (command === 'includegraphics') {
      if (current) current.pictures += 1
    } else if (command !== undefined) (current?.captions ?? dropped).push(match.index)
    else if (begun !== undefined && float.test(begun)) {
      open.push({ name: begun, pictures: 0, tables: 0, hasOther: false, captions: [] })
    } else if (begun !== undefined && current) {
      if (/^(?:tabular|tabularx|array|supertabular)\*?$/.test(begun)) current.tables += 1
      if (!/^(?:center|minipage|flushleft|flushright|small|footnotesize)$/.test(begun))
        current.hasOther = true
    } else if (ended !== undefined && ended === current?.name) {
      open.pop()
      if (!isShown(current)) dropped.push(...current.captions)
      const outer = open.at(-1)
      if (outer) outer.hasOther = true
    }
  }
  if (dropped.length === 0) return latex
  let shown = ''
  let at = 0
  for (const index of dropped.toSorted((a, b) => a - b)) {
    shown += `${latex.slice(at, index)}\\kilncaption`
    at = index + (latex.startsWith('\\caption*', index) ? '\\caption*' : '\\caption').length
  }
  return shown + latex.slice(at)
}
