import type { Glyph } from '../read/page.ts'

// A formula as a tree. Serializers convert it to LaTeX, MathML or Word's equations.

export type Look = 'italic' | 'roman' | 'bold' | 'double' | 'script' | 'fraktur'

export type MathNode =
  | { kind: 'row'; items: MathNode[] }
  | { kind: 'symbol'; text: string; look: Look }
  /** Letters of one word: a function, or text within the formula. */
  | { kind: 'word'; text: string; look: Look }
  | { kind: 'scripts'; base: MathNode; sub: MathNode | undefined; sup: MathNode | undefined }
  | { kind: 'fraction'; over: MathNode; under: MathNode }
  | { kind: 'root'; content: MathNode; degree: MathNode | undefined }
  | { kind: 'accent'; mark: Accent; base: MathNode }
  /** Rows of cells between delimiters; either delimiter may be empty. */
  | { kind: 'grid'; open: string; close: string; rows: MathNode[][] }

export type Accent = 'hat' | 'tilde' | 'bar' | 'dot' | 'ddot' | 'vec' | 'acute' | 'grave' | 'check' | 'breve'

export interface Formula {
  tree: MathNode
  /** The formula as plain text, without spaces. */
  text: string
}

export const functions = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max ' +
    'min mod Pr sec sin sinh sup tan tanh'
  ).split(' '),
)

/** Words with their limits below them. */
export const limitWords = new Set(['lim', 'max', 'min', 'sup', 'inf', 'limsup', 'liminf', 'det', 'gcd', 'Pr'])

export const isIntegral = (text: string): boolean => text !== '' && '∫∬∭∮'.includes(text)

const openers = '([{⟨⌊⌈'
const closers = ')]}⟩⌋⌉'
export const isOpener = (text: string): boolean => text !== '' && openers.includes(text)
export const isCloser = (text: string): boolean => text !== '' && closers.includes(text)

/** The lines of one formula, split at the alignment points. */
export const isAligned = (node: MathNode): boolean =>
  node.kind === 'grid' && node.open === '' && node.close === ''

export function plainText(node: MathNode | undefined): string {
  if (!node) return ''
  switch (node.kind) {
    case 'row':
      return node.items.map(plainText).join('')
    case 'symbol':
    case 'word':
      return node.text.replaceAll(' ', '')
    case 'scripts':
      return plainText(node.base) + plainText(node.sub) + plainText(node.sup)
    case 'fraction':
      return `${plainText(node.over)}/${plainText(node.under)}`
    case 'root':
      return `√${plainText(node.content)}`
    case 'accent':
      return plainText(node.base)
    case 'grid':
      return (
        node.open +
        node.rows.map((r) => r.map(plainText).join(isAligned(node) ? '' : ',')).join(';') +
        node.close
      )
  }
}

/** Optional, because most glyphs have none of these properties. */
export interface PlacedGlyph extends Glyph {
  script?: 'super' | 'sub'
  underline?: boolean
  strike?: boolean
  math?: Formula
  /** Only for scripts: the glyph that it was made from, for its position in paint order. */
  painted?: PlacedGlyph
}
