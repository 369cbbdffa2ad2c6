import type { TextRun } from './lines/line.ts'
import type { Font } from './read/page.ts'
import { setSize, standInFor } from './set-width.ts'
import { widthIn } from './stand-in-widths.ts'

// A font that is replaced by another is spaced so that lines stay as long as they were: then they
// break where they broke.

/** More would look like letter-spacing; less cannot be seen. */
const most = 0.09
const least = 0.006
/** A word or two say nothing about a font. */
const fewest = 40

/** Space between letters, in ems, that makes a font's stand-in as wide as it is; fonts that need none are left out. */
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
    const family = standInFor(style.font)
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
    if (Math.abs(each) >= least) out.set(font, Math.max(-most, Math.min(most, each)))
  }
  return out
}
