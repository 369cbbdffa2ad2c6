import type { PlacedGlyph } from '../math/tree.ts'
import type { Rule } from '../read/page.ts'
import { clearMajority, samePosition } from '../tolerances.ts'

// Underlines and strikethroughs are part of the text, not of a table. A rule is one of them if it starts and ends with
// words that are directly above it or crossed by it.

/** Thicker rules are bars of a drawing, shorter ones marks; in points. */
const thickest = 3
const shortest = 1.5
/** Search range for text, in points: a strikethrough is below its top, an underline near the baseline. */
const reachUp = 14
const reachDown = 22
/** Maximum thickness: about a stroke of the letters, a tenth of an em and, in small print, a hairline more. */
const thickestInEms = 0.16
const hairline = 0.4
/** An underline is between the baseline and the descender line, in ems below the baseline. */
const under = { from: 0.02, to: 0.24 }
/** A strikethrough crosses lower-case letters near half of the x-height, in ems above the baseline. */
const through = { from: 0.16, to: 0.42 }

export interface Decorated {
  glyphs: readonly PlacedGlyph[]
  /** Rules that are not part of the text. */
  rules: Rule[]
}

export function decorate(glyphs: readonly PlacedGlyph[], rules: readonly Rule[]): Decorated {
  const rows = Map.groupBy(glyphs, (g) => Math.round(g.y))
  const rest: Rule[] = []
  const marked = new Map<PlacedGlyph, PlacedGlyph>()
  for (const rule of rules) {
    if (!rule.horizontal || rule.weak || rule.thickness > thickest || rule.to - rule.from < shortest) {
      rest.push(rule)
      continue
    }
    const on: PlacedGlyph[] = []
    for (let key = Math.round(rule.at) - reachUp; key <= Math.round(rule.at) + reachDown; key++)
      for (const g of rows.get(key) ?? [])
        if (
          g.x >= rule.from - samePosition &&
          g.box.x1 <= rule.to + samePosition &&
          kindOf(g, rule) !== undefined
        )
          on.push(g)
    if (!covers(on, rule)) {
      rest.push(rule)
      continue
    }
    for (const g of on) {
      const mark = kindOf(g, rule) === 'under' ? { underline: true } : { strike: true }
      marked.set(g, { ...(marked.get(g) ?? g), ...mark })
    }
  }
  return { glyphs: marked.size === 0 ? glyphs : glyphs.map((g) => marked.get(g) ?? g), rules: rest }
}

function kindOf(g: PlacedGlyph, rule: Rule): 'under' | 'through' | undefined {
  if (rule.thickness > thickestInEms * g.size + hairline) return undefined
  const below = (rule.at - g.y) / g.size
  if (below > under.from && below < under.to) return 'under'
  if (below < -through.from && below > -through.to) return 'through'
  return undefined
}

function covers(on: readonly PlacedGlyph[], rule: Rule): boolean {
  if (on.length === 0) return false
  const first = Math.min(...on.map((g) => g.box.x0))
  const last = Math.max(...on.map((g) => g.box.x1))
  if (Math.abs(first - rule.from) > samePosition || Math.abs(last - rule.to) > samePosition) return false
  const inked = on.reduce((sum, g) => sum + Math.max(0, g.box.x1 - g.box.x0), 0)
  return inked > clearMajority * (rule.to - rule.from) && on.some((g) => g.text.trim())
}
