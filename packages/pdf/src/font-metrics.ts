import { familyOf } from './font-names.ts'
import { perFont } from './per-font.ts'
import type { Font } from './read/page.ts'
import { setSize } from './set-width.ts'

// Line heights of the fonts that documents are displayed in: the font itself if it is known, its metric-compatible
// font, or its substitute. In ems; the line gap counts as part of the ascent.

export interface Metrics {
  above: number
  below: number
}

const known: [RegExp, Metrics][] = [
  [/^(carlito|calibri)/, { above: 0.97, below: 0.25 }],
  [/^(caladea|cambria)/, { above: 0.9, below: 0.25 }],
  [/^(liberationserif|timesnewroman|times|nimbusrom|tinos|termes)/, { above: 0.933, below: 0.216 }],
  [/^(liberationsansnarrow|arialnarrow)/, { above: 0.936, below: 0.212 }],
  [/^(liberationsans|arial|helvetica|nimbussan|arimo|heros)/, { above: 0.938, below: 0.212 }],
  [/^(liberationmono|couriernew|courier|cousine|nimbusmon)/, { above: 0.833, below: 0.3 }],
  [/^(dejavusansmono)/, { above: 0.928, below: 0.236 }],
  [/^(dejavusans|verdana|bitstreamvera)/, { above: 0.928, below: 0.236 }],
  [/^(dejavuserif)/, { above: 0.928, below: 0.236 }],
  [/^(opensymbol|symbol|wingdings)/, { above: 0.843, below: 0.216 }],
  [/^(notosanscjk|notoserifcjk|notosansmonocjk|sourcehan)/, { above: 1.16, below: 0.288 }],
  [/^(opensans|notosans|notoserif)(?!cjk)/, { above: 1.069, below: 0.293 }],
  [/^(georgia|gelasio)/, { above: 0.917, below: 0.219 }],
  [/^(linuxlibertine)/, { above: 0.894, below: 0.246 }],
]

const metricsOf = perFont((font: Font): Metrics => {
  const name = font.name.toLowerCase().replace(/[^a-z]/g, '')
  for (const [pattern, metrics] of known) if (pattern.test(name)) return metrics
  // A family that keeps its name also keeps its own metrics.
  const family = familyOf(font).name
  if (!/^(Times New Roman|Arial|Courier New)$/.test(family))
    return { above: font.ascent, below: font.descent }
  if (font.mono) return { above: 0.833, below: 0.3 }
  return font.serif ? { above: 0.933, below: 0.216 } : { above: 0.938, below: 0.212 }
})

export function naturalHeight(font: Font, size: number): { height: number; below: number } {
  const m = metricsOf(font)
  const em = setSize(size)
  return { height: (m.above + m.below) * em, below: m.below * em }
}

interface SetLine {
  baseline: number
  font: Font
  size: number
}

/** Top and bottom of a single line: it extends below its baseline by the descent of its font. */
export const lineBottom = ({ baseline, font, size }: SetLine): number =>
  baseline + naturalHeight(font, size).below
export const lineTop = (line: SetLine): number =>
  lineBottom(line) - naturalHeight(line.font, line.size).height
