// The font of operators (cmsy10 and those made like it): where its glyphs have names that no table of Unicode knows,
// the character is the code, and all of these fonts share their codes. Capitals are letters there, and braces and
// bars are what they look like.

const from0 = '−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘∙≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵ'
const from91 = '∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♦♥♠'

const signs = new Map<number, string>()
for (const [i, sign] of [...from0].entries()) signs.set(i, sign)
for (const [i, sign] of [...from91].entries()) signs.set(91 + i, sign)
for (const known of '{|}\\ ') signs.delete(known.charCodeAt(0))

export const operatorSign = (code: number): string | undefined => signs.get(code)

const bigOperators = '∑∏∐⋃⋂⨆⨄⋀⋁⨀⨁⨂'
export const isBigOperator = (text: string): boolean => text !== '' && bigOperators.includes(text)
