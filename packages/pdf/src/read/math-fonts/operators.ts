// Math symbol fonts (cmsy10 and compatible ones): if the glyphs have names without a Unicode mapping, the character is
// the code, which all of these fonts share. Capitals are letters, and braces and bars are what they look like.

const from0 = '−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘∙≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵ'
const from91 = '∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♦♥♠'

const signs = new Map<number, string>()
for (const [i, sign] of [...from0].entries()) signs.set(i, sign)
for (const [i, sign] of [...from91].entries()) signs.set(91 + i, sign)
for (const known of '{|}\\ ') signs.delete(known.charCodeAt(0))

export const operatorSign = (code: number): string | undefined => signs.get(code)

/** Signs of msam10, which Beamer uses as bullets. */
const amsSigns = new Map([...'□■▼▶◀▲★✓⩽⩾'].map((sign, i) => ['\x03\x04HIJNFX6>'.charCodeAt(i), sign]))

export const amsSign = (code: number): string | undefined => amsSigns.get(code)

const bigOperators = '∑∏∐⋃⋂⨆⨄⋀⋁⨀⨁⨂'
export const isBigOperator = (text: string): boolean => text !== '' && bigOperators.includes(text)
