import { type Flow, type FlowBlock, placeCells, type TextKind } from '../../evidence/flow.ts'

// The truth of a document, from the tree that pandoc reads out of its source.

export interface Node {
  t: string
  c?: unknown
}
type Cell = [attributes: unknown, alignment: unknown, rows: number, columns: number, blocks: Node[]]
type Row = [attributes: unknown, cells: Cell[]]
type TableParts = [
  attributes: unknown,
  caption: [unknown, Node[]],
  columns: unknown,
  head: [unknown, Row[]],
  bodies: [unknown, unknown, Row[], Row[]][],
  foot: [unknown, Row[]],
]

const spaces = new Set(['Space', 'SoftBreak', 'LineBreak'])
const quotes: Readonly<Record<string, string>> = { SingleQuote: "'", DoubleQuote: '"' }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).t === 'string'

/** The last list among the arguments of a node holds what is in it. */
const childrenOf = ({ c }: Node): Node[] => {
  if (!Array.isArray(c)) return []
  if (c.every(isNode)) return c
  return (c as unknown[]).findLast((part): part is Node[] => Array.isArray(part) && part.every(isNode)) ?? []
}

export function truthOf(blocks: readonly Node[]): Flow {
  const out: FlowBlock[] = []
  const notes: FlowBlock[] = []

  const textOf = (inlines: readonly Node[], formulas: FlowBlock[]): string =>
    inlines
      .map((node): string => {
        if (spaces.has(node.t)) return ' '
        if (node.t === 'Str') return node.c as string
        if (node.t === 'Code') return (node.c as [unknown, string])[1]
        if (node.t === 'Math') {
          formulas.push({ kind: 'formula', text: (node.c as [unknown, string])[1] })
          return ''
        }
        if (node.t === 'Note') {
          addNote(node.c as Node[])
          return ''
        }
        if (node.t === 'Image' || node.t === 'RawInline') return ''
        const quote = node.t === 'Quoted' ? (quotes[(node.c as [Node])[0].t] ?? '') : ''
        return quote + textOf(childrenOf(node), formulas) + quote
      })
      .join('')

  function add(kind: TextKind, inlines: readonly Node[], to = out): void {
    const formulas: FlowBlock[] = []
    const text = textOf(inlines, formulas).trim()
    if (text) to.push({ kind, text })
    to.push(...formulas)
  }
  function addNote(content: readonly Node[]): void {
    const text = content.map((block) => textOf(childrenOf(block), [])).join(' ')
    notes.push({ kind: 'note', text })
  }
  const cellText = (content: readonly Node[]): string =>
    content.map((b) => (b.t === 'CodeBlock' ? (b.c as string[])[1] : textOf(inlinesOf(b), []))).join(' ')
  /** Inlines of a block in a cell, which may be a list. */
  const inlinesOf = (block: Node): Node[] =>
    block.t === 'BulletList' || block.t === 'OrderedList'
      ? itemsOf(block)
          .flat()
          .flatMap((b) => [...inlinesOf(b), { t: 'Space' }])
      : childrenOf(block).flatMap((n) => (isBlock(n) ? [...inlinesOf(n), { t: 'Space' }] : [n]))
  const isBlock = (node: Node): boolean =>
    ['Para', 'Plain', 'BulletList', 'OrderedList', 'Div'].includes(node.t)
  const itemsOf = ({ t, c }: Node): Node[][] =>
    t === 'OrderedList' ? (c as [unknown, Node[][]])[1] : (c as Node[][])

  function addTable([, [, caption], , [, head], bodies, [, foot]]: TableParts): void {
    addAll(caption)
    const rows = [...head, ...bodies.flatMap(([, , first, rest]) => [...first, ...rest]), ...foot]
    const cells = rows.map(([, own]) =>
      own.map(([, , rowSpan, columnSpan, content]) => ({
        text: cellText(content),
        rows: rowSpan,
        columns: columnSpan,
      })),
    )
    // A head of empty cells is pandoc's own, where the source has none.
    const placed = placeCells(cells).filter((row) => row.some((text) => text.trim() !== ''))
    if (placed.length > 0) out.push({ kind: 'table', rows: placed })
  }

  function addAll(content: readonly Node[], first: TextKind = 'paragraph'): void {
    for (const [i, block] of content.entries()) {
      const kind = i === 0 ? first : 'paragraph'
      if (block.t === 'Para' || block.t === 'Plain') add(kind, block.c as Node[])
      else if (block.t === 'Header') add('heading', childrenOf(block))
      else if (block.t === 'CodeBlock') out.push({ kind: 'listing', text: (block.c as string[])[1] ?? '' })
      else if (block.t === 'BulletList' || block.t === 'OrderedList')
        for (const item of itemsOf(block)) addAll(item, 'item')
      else if (block.t === 'DefinitionList')
        for (const [term, definitions] of block.c as [Node[], Node[][]][]) {
          add('paragraph', term)
          for (const definition of definitions) addAll(definition)
        }
      else if (block.t === 'LineBlock') for (const line of block.c as Node[][]) add(kind, line)
      else if (block.t === 'Table') addTable(block.c as TableParts)
      else if (block.t === 'Div' || block.t === 'BlockQuote' || block.t === 'Figure')
        addAll(childrenOf(block), kind)
    }
  }
  addAll(blocks)
  return [...out, ...notes]
}
