import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import type { WordDocument } from './word-document.ts'

// LibreOffice translates a formula into its own language, StarMath, and keeps only a part:
//
//   size     It sets every formula in 12 points, Word in the size of the text.
//   limits   It sets those of sums and integrals above and below, Word also beside them.
//   symbols  It knows some of the large symbols; of others, such as ⋃, it makes an error.
//
// It takes the text of a run over as it is. So words of StarMath are written as text. Their operands must be in braces,
// which LibreOffice writes around the argument of a function.

const operators: Readonly<Record<string, string>> = {
  '∫': 'int',
  '∬': 'iint',
  '∭': 'iiint',
  '∮': 'lint',
  '∯': 'llint',
  '∰': 'lllint',
  '∏': 'prod',
  '∐': 'coprod',
  '∑': 'sum',
}

const integral = '∫'
const isIntegral = (symbol: string): boolean => /[∫-∳]/u.test(symbol)

/** In points. */
const defaultSize = 12

export const hasFormulas = (xml: string): boolean => xml.includes('<m:oMath')

export const editFormulas = (xml: string, document: WordDocument): string =>
  editTree(xml, (root, editor) => {
    let style: string | undefined
    for (const node of descendants(root)) {
      if (node.name === 'w:pStyle') style = node.attributes['w:val']
      else if (node.name === 'w:p') style = undefined
      else if (node.name === 'm:nary') placeLimits(node, editor)
      else if (node.name === 'm:oMath') setSize(node, sizeOf(node, style, document), editor)
    }
  })

function sizeOf(formula: XmlNode, paragraphStyle: string | undefined, { sheet }: WordDocument): number {
  for (const { name, children } of descendants(formula)) {
    const own = name === 'w:rPr' && children.find((child) => child.name === 'w:sz')
    if (own) return Number(own.attributes['w:val']) / 2
  }
  const inherited = sheet().ofRun({ paragraphStyle }, (run) => run.get('w:sz')?.['w:val'])
  return Number(inherited ?? 20) / 2
}

function setSize(formula: XmlNode, size: number, editor: XmlEditor): void {
  if (size === defaultSize || !(size > 0) || formula.isSelfClosing) return
  const [start, end] = applied(`size ${size}`)
  editor.replace(formula.end, formula.end, start)
  editor.replace(formula.closeStart, formula.closeStart, end)
}

function placeLimits(nary: XmlNode, editor: XmlEditor): void {
  const properties = childOf(nary, 'm:naryPr')
  const valOf = (name: string) => childOf(properties, name)?.attributes['m:val']
  const isHidden = (name: string) => !['0', 'off', 'false', undefined].includes(valOf(name))
  const symbol = valOf('m:chr') || integral
  const isBeside = (valOf('m:limLoc') ?? (isIntegral(symbol) ? 'subSup' : 'undOvr')) === 'subSup'
  if (!isBeside && operators[symbol]) return
  const limits = [
    { limit: childOf(nary, 'm:sub'), isShown: !isHidden('m:subHide'), word: isBeside ? 'rsub' : 'from' },
    { limit: childOf(nary, 'm:sup'), isShown: !isHidden('m:supHide'), word: isBeside ? 'rsup' : 'to' },
  ]
  const base = childOf(nary, 'm:e')
  if (!base) return
  editor.replace(
    nary.start,
    limits[0]?.limit?.start ?? base.start,
    text(operators[symbol] ?? `oper ${symbol}`),
  )
  for (const { limit, isShown, word } of limits) {
    if (!limit) continue
    const hasText = /<m:t\b[^<>]*>\s*[^\s<]/.test(editor.source(limit.end, limit.closeStart))
    const [start, end] = isShown && hasText ? applied(word) : ['', '']
    editor.replace(limit.start, limit.end, start)
    editor.replace(limit.closeStart, limit.closeEnd, end)
  }
  editor.replace(base.start, base.end, '')
  editor.replace(base.closeStart, nary.closeEnd, '')
}

const text = (words: string): string => `<m:r><m:t xml:space="preserve">${words} </m:t></m:r>`

/** What comes before and after the operand of a word. */
const applied = (word: string): [string, string] => [
  `<m:func><m:fName>${text(word)}</m:fName><m:e>`,
  '</m:e></m:func>',
]
