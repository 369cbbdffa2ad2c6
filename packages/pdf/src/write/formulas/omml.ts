import { elementAt } from '../../element-at.ts'
import { type Accent, isAligned, isIntegral, type Look, type MathNode } from '../../math/tree.ts'
import { isBigOperator } from '../../read/math-fonts/operators.ts'
import { escapeXml } from '../xml.ts'
import { plainLetter } from './latex.ts'

// Serializes the tree as a Word equation (OMML).

const marks: Record<Accent, string> = {
  hat: '\u0302',
  tilde: '\u0303',
  bar: '\u0305',
  dot: '\u0307',
  ddot: '\u0308',
  vec: '\u20d7',
  acute: '\u0301',
  grave: '\u0300',
  check: '\u030c',
  breve: '\u0306',
}

const styles: Record<Look, string> = {
  italic: '',
  roman: '<m:sty m:val="p"/>',
  bold: '<m:sty m:val="b"/>',
  double: '<m:scr m:val="double-struck"/><m:sty m:val="p"/>',
  script: '<m:scr m:val="script"/><m:sty m:val="p"/>',
  fraktur: '<m:scr m:val="fraktur"/><m:sty m:val="p"/>',
}

const font = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>'

export const toOmml = (tree: MathNode): string => `<m:oMath>${element(tree)}</m:oMath>`

function run(text: string, look: Look): string {
  const style = styles[look]
  return `<m:r>${style && `<m:rPr>${style}</m:rPr>`}${font}<m:t xml:space="preserve">${escapeXml(text)}</m:t></m:r>`
}

const column = (side: string): string =>
  `<m:mc><m:mcPr><m:count m:val="1"/><m:mcJc m:val="${side}"/></m:mcPr></m:mc>`
/** Without a gap between the columns. */
const alignedColumns = `<m:mPr><m:cGpRule m:val="3"/><m:cGp m:val="0"/><m:mcs>${column('right')}${column('left')}</m:mcs></m:mPr>`

const part = (name: string, node: MathNode | undefined): string =>
  `<m:${name}>${node ? element(node) : ''}</m:${name}>`

const isRelation = (node: MathNode): boolean =>
  node.kind === 'symbol' && /^[=<>≤≥≠≈∼≃≅≡→∈⊂⊆]$/.test(node.text)

/** A sum includes the items after it, up to the next relation. */
function row(items: readonly MathNode[]): string {
  let out = ''
  for (let i = 0; i < items.length; i++) {
    const item = elementAt(items, i)
    const sign = largeOperator(item)
    if (!sign) {
      out += element(item)
      continue
    }
    const rest = items.slice(i + 1)
    const at = rest.findIndex(isRelation)
    const taken = at < 0 ? rest : rest.slice(0, at)
    out += nary(sign, taken)
    i += taken.length
  }
  return out
}

function largeOperator(node: MathNode): (MathNode & { kind: 'scripts' }) | undefined {
  if (node.kind !== 'scripts' || node.base.kind !== 'symbol') return undefined
  return isBigOperator(node.base.text) || isIntegral(node.base.text) ? node : undefined
}

function nary({ base, sub, sup }: MathNode & { kind: 'scripts' }, taken: readonly MathNode[]): string {
  const sign = base.kind === 'symbol' ? base.text : ''
  const place = isIntegral(sign) ? 'subSup' : 'undOvr'
  const hidden = `${sub ? '' : '<m:subHide m:val="1"/>'}${sup ? '' : '<m:supHide m:val="1"/>'}`
  return `<m:nary><m:naryPr><m:chr m:val="${escapeXml(sign)}"/><m:limLoc m:val="${place}"/>${hidden}</m:naryPr>${part('sub', sub)}${part('sup', sup)}<m:e>${row(taken)}</m:e></m:nary>`
}

function element(node: MathNode): string {
  switch (node.kind) {
    case 'row':
      return row(node.items)
    case 'symbol': {
      const { text, look } = plainLetter(node.text, node.look)
      return run(text, /^\p{L}$/u.test(text) ? look : 'italic')
    }
    case 'word':
      return run(node.text, node.look)
    case 'scripts': {
      if (largeOperator(node)) return nary(node, [])
      const name = node.sub && node.sup ? 'sSubSup' : node.sub ? 'sSub' : 'sSup'
      return `<m:${name}>${part('e', node.base)}${node.sub ? part('sub', node.sub) : ''}${node.sup ? part('sup', node.sup) : ''}</m:${name}>`
    }
    case 'fraction':
      return `<m:f>${part('num', node.over)}${part('den', node.under)}</m:f>`
    case 'root':
      return `<m:rad>${node.degree ? '' : '<m:radPr><m:degHide m:val="1"/></m:radPr>'}${part('deg', node.degree)}${part('e', node.content)}</m:rad>`
    case 'accent':
      return `<m:acc><m:accPr><m:chr m:val="${marks[node.mark]}"/></m:accPr>${part('e', node.base)}</m:acc>`
    case 'grid': {
      const rows = node.rows.map((r) => `<m:mr>${r.map((c) => part('e', c)).join('')}</m:mr>`).join('')
      if (isAligned(node)) return `<m:m>${alignedColumns}${rows}</m:m>`
      return `<m:d><m:dPr><m:begChr m:val="${escapeXml(node.open)}"/><m:endChr m:val="${escapeXml(node.close)}"/></m:dPr><m:e><m:m>${rows}</m:m></m:e></m:d>`
    }
  }
}
