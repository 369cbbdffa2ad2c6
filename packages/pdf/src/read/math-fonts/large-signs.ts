// Math extension fonts (cmex10 and compatible ones): their glyphs extend below the line and have names without a
// Unicode mapping. The symbols follow from the character codes, which all of these fonts share.

interface Large {
  text: string
  /** In ems, downwards from the origin. */
  height: number
}

const rows: [from: number, signs: string, height: number][] = [
  [0x00, '()[]⌊⌋⌈⌉{}⟨⟩|‖/\\', 1.2],
  [0x10, '()', 1.8],
  [0x12, '()[]⌊⌋⌈⌉{}⟨⟩/\\', 2.4],
  [0x20, '()[]⌊⌋⌈⌉{}⟨⟩/\\', 3],
  [0x2e, '/\\', 1.8],
  [0x44, '⟨⟩', 1.8],
  [0x46, '⨆', 1],
  [0x47, '⨆', 1.4],
  [0x48, '∮', 1.1],
  [0x49, '∮', 2.2],
  [0x4a, '⨀', 1],
  [0x4b, '⨀', 1.4],
  [0x4c, '⨁', 1],
  [0x4d, '⨁', 1.4],
  [0x4e, '⨂', 1],
  [0x4f, '⨂', 1.4],
  [0x50, '∑∏∫⋃⋂⨄⋀⋁', 1],
  [0x58, '∑∏', 1.4],
  [0x5a, '∫', 2.2],
  [0x5b, '⋃⋂⨄⋀⋁', 1.4],
  [0x60, '∐', 1],
  [0x61, '∐', 1.4],
  [0x62, '\u02c6\u02c6\u02c6\u02dc\u02dc\u02dc', 0],
  [0x68, '[]⌊⌋⌈⌉{}', 1.8],
  [0x70, '√', 1.2],
  [0x71, '√', 1.8],
  [0x72, '√', 2.4],
  [0x73, '√', 3],
]

const byCode = new Map<number, Large>()
for (const [from, signs, height] of rows)
  for (const [i, text] of [...signs].entries()) byCode.set(from + i, { text, height })

/** Pieces that tall delimiters are composed of, from top to bottom: their codes, heights and names. */
const textRuns: [text: string, codes: number[], heights: number[], names: string][] = [
  ['(', [0x30, 0x42, 0x40], [1.8, 0.6, 1.8], '\uf8eb\uf8ec\uf8ed'],
  [')', [0x31, 0x43, 0x41], [1.8, 0.6, 1.8], '\uf8f6\uf8f7\uf8f8'],
  ['[', [0x32, 0x36, 0x34], [1.8, 0.6, 1.8], '\uf8ee\uf8ef\uf8f0'],
  [']', [0x33, 0x37, 0x35], [1.8, 0.6, 1.8], '\uf8f9\uf8fa\uf8fb'],
  ['{', [0x38, 0x3c, 0x3a], [0.9, 1.8, 0.9], '\uf8f1\uf8f2\uf8f3'],
  ['}', [0x39, 0x3d, 0x3b], [0.9, 1.8, 0.9], '\uf8fc\uf8fd\uf8fe'],
  ['|', [0x3e, 0x3f], [0.3, 0.6], '\uf8f4'],
]
const byName = new Map<number, Large>()
for (const [text, codes, heights, names] of textRuns)
  for (const [i, height] of heights.entries()) {
    byCode.set(codes[i] as number, { text, height })
    if (names[i]) byName.set(names.charCodeAt(i), { text, height })
  }

/** Fonts that cannot use the first codes duplicate their symbols at these. */
function firstCode(code: number): number {
  if (code >= 0xa1 && code <= 0xaa) return code - 0xa1
  if (code >= 0xad && code <= 0xc3) return code - 0xad + 10
  return code
}

/** A symbol of such a font by its character code. */
export function largeSign(code: number): Large | undefined {
  return byName.get(code) ?? byCode.get(code) ?? byCode.get(firstCode(code))
}

/** The same pieces in Unicode, for fonts other than math extension fonts; from top to bottom. */
const unicodeTextRuns = new Map<number, Large>()
for (const [text, signs] of [
  ['(', '⎛⎜⎝'],
  [')', '⎞⎟⎠'],
  ['[', '⎡⎢⎣'],
  [']', '⎤⎥⎦'],
  ['{', '⎧⎨⎩'],
  ['}', '⎫⎬⎭'],
  ['√', '⎷'],
] as const)
  for (const sign of signs) unicodeTextRuns.set(sign.codePointAt(0) as number, { text, height: 1 })

export const pieceSign = (code: number): Large | undefined => unicodeTextRuns.get(code)
