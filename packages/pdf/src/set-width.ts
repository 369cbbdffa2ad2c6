import { familyOf } from './font-names.ts'
import type { TextRun } from './lines/line.ts'
import { perFont } from './per-font.ts'
import type { Font } from './read/page.ts'

// The width of text in the font that the output names for it.

const substituteFor = perFont((font: Font): SubstituteFamily | undefined => {
  const { name } = familyOf(font)
  if (name === 'Times New Roman' || name === 'Liberation Serif') return font.bold ? 'serifBold' : 'serif'
  if (name === 'Arial' || name === 'Helvetica' || name === 'Liberation Sans')
    return font.bold ? 'sansBold' : 'sans'
  return undefined
})

/** Word specifies sizes in half points. */
export const setSize = (size: number): number => Math.max(1, Math.round(size * 2) / 2)

/** Undefined if the table does not cover the text: italic serif fonts have different widths. */
export function setWidth(
  style: { font: Font; size: number; italic: boolean },
  text: string,
  spacing: ReadonlyMap<Font, number>,
): number | undefined {
  const family = substituteFor(style.font)
  if (!family || (style.italic && family.startsWith('serif'))) return undefined
  const { width, known } = widthIn(family, text)
  if (known < text.length) return undefined
  return (width + text.length * (spacing.get(style.font) ?? 0)) * setSize(style.size)
}

const spaces: [RegExp, number][] = [
  [/^(Times New Roman|Liberation Serif)$/, 0.25],
  [/^(Arial|Helvetica|Liberation Sans)$/, 0.278],
  [/^(Calibri|Carlito)$/, 0.226],
  [/^(Cambria|Caladea)$/, 0.22],
  [/^(Courier New|Liberation Mono)$/, 0.6],
]

/** Width of a font's space, in ems. */
export function spaceIn(font: Font, spacing: ReadonlyMap<Font, number>): number | undefined {
  const { name } = familyOf(font)
  const own = spaces.find(([pattern]) => pattern.test(name))?.[1]
  return own === undefined ? undefined : own + (spacing.get(font) ?? 0)
}

// Advance widths of the substitute families, in thousandths of an em, from space to tilde.
const widths = {
  serif: [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
    389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469,
    500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
    278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
  ],
  serifBold: [
    250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667, 611, 778, 778, 389,
    500, 778, 667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581,
    500, 333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389,
    333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
  ],
  sans: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ],
  sansBold: [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
    556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
  ],
}

export type SubstituteFamily = keyof typeof widths

/** Width of a text in a substitute family at size 1; undefined for text that the table does not cover. */
function widthIn(family: SubstituteFamily, text: string): { width: number; known: number } {
  let width = 0
  let known = 0
  for (let i = 0; i < text.length; i++) {
    const w = widths[family][text.charCodeAt(i) - 32]
    if (w === undefined) continue
    width += w / 1000
    known++
  }
  return { width, known }
}

// Letter spacing that gives a substitute font the width of the original, so that lines keep their length and their
// breaks.

/** Limits in ems: more would be visible as letter spacing; less has no visible effect. */
const maxSpacing = 0.09
const minSpacing = 0.006
/** Minimum number of characters: a word or two are not representative of a font. */
const fewest = 40

/** Letter spacing in ems that gives a font's substitute the original width; fonts that need none are omitted. */
export function fitFonts(textRuns: Iterable<TextRun>): ReadonlyMap<Font, number> {
  const sums = new Map<Font, { measured: number; expected: number; characters: number }>()
  for (const textRun of textRuns) {
    const style = textRun.spans[0]?.style
    if (
      !style ||
      textRun.turn !== 0 ||
      textRun.rtl ||
      textRun.spans.some((s) => s.style.font !== style.font || s.style.size !== style.size)
    )
      continue
    const family = substituteFor(style.font)
    if (!family) continue
    for (const word of textRun.words) {
      const { width, known } = widthIn(family, word.text)
      if (known < word.text.length || known < 2) continue
      const sum = sums.get(style.font) ?? { measured: 0, expected: 0, characters: 0 }
      sum.measured += (word.box.x1 - word.box.x0) / setSize(style.size)
      sum.expected += width
      sum.characters += known
      sums.set(style.font, sum)
    }
  }
  const out = new Map<Font, number>()
  for (const [font, { measured, expected, characters }] of sums) {
    if (characters < fewest) continue
    const each = (measured - expected) / characters
    if (Math.abs(each) >= minSpacing) out.set(font, Math.max(-maxSpacing, Math.min(maxSpacing, each)))
  }
  return out
}
