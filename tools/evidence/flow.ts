// A document in reading order. The source of a document and the conversion of its PDF are both brought into this form
// and compared.

export type TextKind = 'heading' | 'paragraph' | 'item' | 'note' | 'listing' | 'formula'

/** Formulas in a paragraph follow it; its text does not contain them. Notes are at the end. */
export type FlowBlock = { kind: TextKind; text: string } | { kind: 'table'; rows: string[][] }

export type Flow = readonly FlowBlock[]

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['amp', '&'],
])
const withoutTags = (html: string): string =>
  html
    .replace(/<br>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => entities.get(name) ?? whole)

const codeSpan = /(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g
/** Nothing in a code span is a mark: it becomes text in which all of them are escaped. */
const asText = (line: string): string =>
  line.replace(codeSpan, (_, _fence, code: string) =>
    code.replace(/^ (.*`.*) $/, '$1').replace(/[^\w\s]/g, '\\$&'),
  )

/** Extracts the formulas between dollar signs from a line. */
function partFormulas(line: string): { text: string; formulas: string[] } {
  const formulas: string[] = []
  const text = line.replace(/(?<!\\)\$((?:\\.|[^$\\])+)\$/g, (_, formula: string) => {
    formulas.push(formula)
    return ''
  })
  return { text, formulas }
}

/** Marks of a line's look, links, images and marks of notes are no text. */
const withoutMarks = (line: string): string =>
  line
    .replace(/!\[(?:\\.|[^\]\\])*\]\([^)]*\)/g, '')
    .replace(/(?<!\\)\[\^[^\]]+\]/g, '')
    .replace(/(?<!\\)\[((?:\\.|[^\]\\])*)\]\([^)]*\)/g, '$1')
    .replace(/\\([^\w\s]|_)|\*+|~~/g, '$1')
    .trim()

const splitRow = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutMarks(asText(cell.replaceAll('\\|', '|'))))

/** A merged cell is in its first position; its other positions are empty. */
function placeCells(
  rows: readonly (readonly { text: string; columns: number; rows: number }[])[],
): string[][] {
  const out: string[][] = rows.map(() => [])
  for (const [r, row] of rows.entries()) {
    let column = 0
    for (const cell of row) {
      while (out[r]?.[column] !== undefined) column++
      for (let y = r; y < Math.min(out.length, r + cell.rows); y++)
        for (let x = column; x < column + cell.columns; x++) (out[y] as string[])[x] = ''
      ;(out[r] as string[])[column] = cell.text
    }
  }
  return out
}

function htmlTable(html: string): string[][] {
  const span = (tag: string, name: string): number =>
    Number(new RegExp(`${name}="(\\d+)"`).exec(tag)?.[1] ?? 1)
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd]([^>]*)>(.*?)<\/t[hd]>/gs)].map(([, tag = '', text = '']) => ({
      text: withoutTags(text),
      columns: span(tag, 'colspan'),
      rows: span(tag, 'rowspan'),
    })),
  )
  return placeCells(rows)
}

/** Reads Markdown as this program writes it: a paragraph is one line. */
export function readMarkdown(markdown: string): Flow {
  const lines = markdown.split('\n')
  const out: FlowBlock[] = []
  const notes: FlowBlock[] = []
  const add = (kind: TextKind, line: string, to = out): void => {
    const { text, formulas } = partFormulas(asText(line))
    const bare = withoutMarks(text)
    if (bare) to.push({ kind, text: bare })
    for (const formula of formulas) to.push({ kind: 'formula', text: formula })
  }
  const takeWhile = (from: number, holds: (line: string) => boolean): number => {
    let end = from
    while (end < lines.length && holds(lines[end] as string)) end++
    return end
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const fence = /^`{3,}$/.exec(line)?.[0]
    if (fence) {
      const end = takeWhile(i + 1, (l) => l !== fence)
      out.push({ kind: 'listing', text: lines.slice(i + 1, end).join('\n') })
      i = end
    } else if (line.startsWith('<table')) {
      const end = takeWhile(i, (l) => l !== '</table>')
      out.push({ kind: 'table', rows: htmlTable(lines.slice(i, end).join('\n')) })
      i = end
    } else if (line.startsWith('| ')) {
      const end = takeWhile(i, (l) => l.startsWith('|'))
      const rows = lines.slice(i, end).filter((l) => !/^\|(?: --- \|)+$/.test(l))
      out.push({ kind: 'table', rows: rows.map(splitRow) })
      i = end - 1
    } else if (line.startsWith('$$'))
      out.push({ kind: 'formula', text: line.replace(/^\$\$|\$\$$|\\tag\{[^}]*\}/g, '') })
    else if (/^#+ /.test(line)) add('heading', line.replace(/^#+ /, ''))
    else if (/^\[\^[^\]]+\]: /.test(line)) add('note', line.replace(/^\S+ /, ''), notes)
    else if (/^ *(?:-|\d+[.)]) /.test(line)) add('item', line.replace(/^ *\S+ /, ''))
    else if (!line.startsWith('<!--')) add('paragraph', line)
  }
  return [...out, ...notes]
}
