import { type Accent, functions, isAligned, type Look, limitWords, type MathNode } from '../../math/tree.ts'
import { isBigOperator } from '../../read/math-fonts/operators.ts'
import { escapeXml } from '../xml.ts'
import { plainLetter, toLatex } from './latex.ts'

// Serializes the tree as MathML, with the LaTeX as an annotation for copying.

const marks: Record<Accent, string> = {
  hat: '^',
  tilde: '~',
  bar: '¯',
  dot: '˙',
  ddot: '¨',
  vec: '→',
  acute: '´',
  grave: '`',
  check: 'ˇ',
  breve: '˘',
}

const variants: Record<Look, string> = {
  italic: '',
  roman: ' mathvariant="normal"',
  bold: ' mathvariant="bold"',
  double: ' mathvariant="double-struck"',
  script: ' mathvariant="script"',
  fraktur: ' mathvariant="fraktur"',
}

export function toMathml(tree: MathNode, isBlock: boolean): string {
  const latex = escapeXml(toLatex(tree))
  return `<math${isBlock ? ' display="block"' : ''}><semantics><mrow>${element(tree)}</mrow><annotation encoding="application/x-tex">${latex}</annotation></semantics></math>`
}

const group = (node: MathNode | undefined): string =>
  node ? `<mrow>${element(node)}</mrow>` : '<mrow></mrow>'

function element(node: MathNode): string {
  switch (node.kind) {
    case 'row':
      return node.items.map(element).join('')
    case 'symbol': {
      const { text, look } = plainLetter(node.text, node.look)
      if (/^\p{N}$/u.test(text)) return `<mn>${text}</mn>`
      return /^\p{L}$/u.test(text)
        ? `<mi${variants[look]}>${escapeXml(text)}</mi>`
        : `<mo>${escapeXml(text)}</mo>`
    }
    case 'word':
      return functions.has(node.text) ? `<mi>${node.text}</mi>` : `<mtext>${escapeXml(node.text)}</mtext>`
    case 'scripts':
      return scripts(node)
    case 'fraction':
      return `<mfrac>${group(node.over)}${group(node.under)}</mfrac>`
    case 'root':
      return node.degree
        ? `<mroot>${group(node.content)}${group(node.degree)}</mroot>`
        : `<msqrt>${element(node.content)}</msqrt>`
    case 'accent':
      return `<mover accent="true">${group(node.base)}<mo>${marks[node.mark]}</mo></mover>`
    case 'grid': {
      const cell = (c: MathNode, n: number): string =>
        `<mtd${isAligned(node) ? ` style="text-align:${n === 0 ? 'right' : 'left'}"` : ''}>${element(c)}</mtd>`
      const rows = node.rows.map((r) => `<mtr>${r.map(cell).join('')}</mtr>`)
      return `${node.open ? `<mo>${escapeXml(node.open)}</mo>` : ''}<mtable>${rows.join('')}</mtable>${node.close ? `<mo>${escapeXml(node.close)}</mo>` : ''}`
    }
  }
}

function scripts({ base, sub, sup }: MathNode & { kind: 'scripts' }): string {
  const isLimit =
    (base.kind === 'symbol' && isBigOperator(base.text)) ||
    (base.kind === 'word' && limitWords.has(base.text))
  const [both, below, above] = isLimit ? ['munderover', 'munder', 'mover'] : ['msubsup', 'msub', 'msup']
  if (sub && sup) return `<${both}>${group(base)}${group(sub)}${group(sup)}</${both}>`
  const name = sub ? below : above
  return `<${name}>${group(base)}${group(sub ?? sup)}</${name}>`
}
