import { elementAt } from '../../element-at.ts'
import { functions, isCloser, isOpener, type Look, type MathNode } from '../../math/tree.ts'

// Serializes the tree as LaTeX.

const table =
  'alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν ' +
  'xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ ' +
  'Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω leq ≤ geq ≥ leqslant ⩽ geqslant ⩾ neq ≠ equiv ≡ ' +
  'approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ ' +
  'supseteq ⊇ subsetneq ⊊ in ∈ notin ∉ ni ∋ cup ∪ cap ∩ bigcup ⋃ bigcap ⋂ setminus ∖ emptyset ∅ forall ∀ exists ∃ nexists ∄ ' +
  'neg ¬ wedge ∧ vee ∨ bigwedge ⋀ bigvee ⋁ oplus ⊕ otimes ⊗ odot ⊙ ominus ⊖ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ ' +
  'bigsqcup ⨆ biguplus ⨄ pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ dagger † ddagger ‡ sum ∑ prod ∏ ' +
  'coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ partial ∂ nabla ∇ infty ∞ aleph ℵ hbar ℏ ell ℓ wp ℘ Re ℜ Im ℑ angle ∠ perp ⊥ ' +
  'nmid ∤ rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ mapsto ↦ ' +
  'longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ Longleftrightarrow ⟺ longmapsto ⟼ uparrow ↑ downarrow ↓ ' +
  'updownarrow ↕ nearrow ↗ searrow ↘ hookrightarrow ↪ rightharpoonup ⇀ leftharpoondown ↽ rightleftharpoons ⇌ ' +
  'leadsto ⇝ twoheadrightarrow ↠ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ top ⊤ vdash ⊢ models ⊨ therefore ∴ ' +
  'because ∵ triangle △ square □ diamond ⋄ cdots ⋯ ldots … vdots ⋮ ddots ⋱ prime ′ triangleq ≜ coloneqq ≔ doteq ≐ ' +
  'asymp ≍ ltimes ⋉ rtimes ⋊ wr ≀ complement ∁ lesssim ≲ gtrsim ≳ blacksquare ■ flat ♭ natural ♮ sharp ♯ surd √ ' +
  'lVert ‖ vartriangle ▵ trianglelefteq ⊴ lhd ⊲ rhd ⊳ sqcup ⊔ sqcap ⊓ uplus ⊎ bowtie ⋈ imath ı jmath ȷ digamma ϝ eth ð'

const commands = new Map<string, string>()
const parts = table.split(' ')
for (let i = 0; i + 1 < parts.length; i += 2) commands.set(elementAt(parts, i + 1), `\\${parts[i]}`)
for (const [sign, text] of Object.entries({
  '·': '\\cdot',
  '−': '-',
  '–': '-',
  '∣': '|',
  '∥': '\\|',
  '‖': '\\|',
  '〈': '\\langle',
  '〉': '\\rangle',
  Ω: '\\Omega',
  '∆': '\\Delta',
  µ: '\\mu',
  '’': "'",
  '˜': '\\sim',
  '◦': '\\circ',
  '∗': '*',
  '∶': ':',
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  '&': '\\&',
  '#': '\\#',
  $: '\\$',
  _: '\\_',
  '\\': '\\backslash',
  '^': '\\wedge',
  '~': '\\sim',
}))
  commands.set(sign, text)

const looks: Record<Look, string | undefined> = {
  italic: undefined,
  roman: 'mathrm',
  bold: 'mathbf',
  double: 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
}

/** Unicode's mathematical alphabets, whose letters include their look. */
const alphabets: [from: number, look: Look][] = [
  [0x1d400, 'bold'],
  [0x1d434, 'italic'],
  [0x1d468, 'bold'],
  [0x1d49c, 'script'],
  [0x1d4d0, 'script'],
  [0x1d504, 'fraktur'],
  [0x1d538, 'double'],
  [0x1d56c, 'fraktur'],
  [0x1d5a0, 'roman'],
  [0x1d5d4, 'bold'],
]

const plainLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Code point ranges of the Greek letters and digits, and of those in italics. */
const greek = { from: 0x1d6a8, italic: 0x1d6e2, boldItalic: 0x1d71c, to: 0x1d7ff }

/** Converts a letter of these alphabets to a plain letter with its look. */
export function plainLetter(text: string, look: Look): { text: string; look: Look } {
  const code = text.codePointAt(0) ?? 0
  for (const [from, own] of alphabets)
    if (code >= from && code < from + plainLetters.length)
      return { text: plainLetters.charAt(code - from), look: own }
  if (code >= greek.from && code < greek.to) {
    const folded = text.normalize('NFKC')
    return { text: folded, look: code < greek.italic || code >= greek.boldItalic ? 'bold' : 'italic' }
  }
  const single: Record<string, [string, Look]> = {
    ℎ: ['h', 'italic'],
    ℝ: ['R', 'double'],
    ℕ: ['N', 'double'],
    ℤ: ['Z', 'double'],
    ℚ: ['Q', 'double'],
    ℂ: ['C', 'double'],
    ℙ: ['P', 'double'],
    ℋ: ['H', 'script'],
    ℒ: ['L', 'script'],
    ℱ: ['F', 'script'],
    ℰ: ['E', 'script'],
    ℳ: ['M', 'script'],
    ℛ: ['R', 'script'],
    ℬ: ['B', 'script'],
  }
  const known = single[text]
  return known ? { text: known[0], look: known[1] } : { text, look }
}

export function toLatex(node: MathNode | undefined): string {
  if (!node) return ''
  switch (node.kind) {
    case 'row':
      return rowLatex(node.items)
    case 'symbol':
      return symbolLatex(node.text, node.look)
    case 'word':
      return wordLatex(node.text)
    case 'scripts': {
      const base =
        node.base.kind === 'symbol' || node.base.kind === 'word'
          ? toLatex(node.base)
          : `{${toLatex(node.base)}}`
      return `${base || '{}'}${node.sub ? `_{${toLatex(node.sub)}}` : ''}${node.sup ? `^{${toLatex(node.sup)}}` : ''}`
    }
    case 'fraction':
      return `\\frac{${toLatex(node.over)}}{${toLatex(node.under)}}`
    case 'root':
      return `\\sqrt${node.degree ? `[${toLatex(node.degree)}]` : ''}{${toLatex(node.content)}}`
    case 'accent':
      return `\\${node.mark === 'bar' && node.base.kind === 'row' ? 'overline' : node.mark}{${toLatex(node.base)}}`
    case 'grid':
      return gridLatex(node)
  }
}

function gridLatex({ open, close, rows }: MathNode & { kind: 'grid' }): string {
  if (open === '(' && close === ')' && rows.length === 2 && rows.every((r) => r.length === 1))
    return `\\binom{${toLatex(rows[0]?.[0])}}{${toLatex(rows[1]?.[0])}}`
  const known: Record<string, string> = {
    '()': 'pmatrix',
    '[]': 'bmatrix',
    '||': 'vmatrix',
    '{': 'cases',
    '': 'aligned',
  }
  const name = known[open + close] ?? 'matrix'
  const body = rows.map((r) => r.map(toLatex).join(' & ')).join(' \\\\ ')
  return `\\begin{${name}}${body}\\end{${name}}`
}

function symbolLatex(given: string, givenLook: Look): string {
  const { text, look } = plainLetter(given, givenLook)
  const command = commands.get(text)
  if (command) return look === 'bold' && /^\p{L}$/u.test(text) ? `\\boldsymbol{${command}}` : command
  if (!/^\p{L}$/u.test(text)) return [...text].map((c) => commands.get(c) ?? c).join('')
  const name = looks[look]
  return name ? `\\${name}{${text}}` : text
}

function wordLatex(text: string): string {
  if (functions.has(text)) return text === 'mod' ? '\\bmod' : `\\${text}`
  return text.includes(' ') ? `\\text{${text}}` : `\\mathrm{${text}}`
}

const isTall = (node: MathNode): boolean => {
  if (node.kind === 'fraction' || node.kind === 'grid' || node.kind === 'root') return true
  if (node.kind === 'scripts')
    return isTall(node.base) || (node.base.kind === 'symbol' && /[∑∏∫⋃⋂]/.test(node.base.text))
  return node.kind === 'row' && node.items.some(isTall)
}

const signOf = (node: MathNode): string => {
  const own = node.kind === 'scripts' ? node.base : node
  return own.kind === 'symbol' ? own.text : ''
}

/** Adjacent commands and letters need a space between them; brackets around tall content grow with it. */
function rowLatex(items: readonly MathNode[]): string {
  const grown = new Map<number, string>()
  const open: number[] = []
  for (const [i, item] of items.entries()) {
    if (isOpener(signOf(item)) && item.kind === 'symbol') open.push(i)
    else if (isCloser(signOf(item))) {
      const from = open.pop()
      if (from === undefined || !items.slice(from + 1, i).some(isTall)) continue
      grown.set(from, '\\left')
      grown.set(i, '\\right')
    }
  }
  let out = ''
  for (const [i, item] of items.entries()) {
    const text = (grown.get(i) ?? '') + toLatex(item)
    if (/\\[a-zA-Z]+$/.test(out) && /^[a-zA-Z]/.test(text)) out += ' '
    out += text
  }
  return out
}
