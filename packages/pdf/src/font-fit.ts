import type { TextRun } from './lines/line.ts'
import type { Font } from './read/page.ts'
import { setSize, substituteFor } from './set-width.ts'
import { widthIn } from './substitute-widths.ts'

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
