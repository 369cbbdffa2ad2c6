import type { Rule } from '../read/page.ts'
import type { PlacedGlyph } from './line.ts'

// Lines under and through text are part of the text, not of a table. A rule is one when it starts
// and ends with words that stand right on it.

const slack = 2.2

/** Marks the glyphs and returns the rules that remain. */
export function decorate(glyphs: readonly PlacedGlyph[], rules: readonly Rule[]): Rule[] {
  const rows = new Map<number, PlacedGlyph[]>()
  for (const g of glyphs) {
    if (g.turn !== 0) continue
    const key = Math.round(g.y)
    const row = rows.get(key)
    if (row) row.push(g)
    else rows.set(key, [g])
  }
  const rest: Rule[] = []
  for (const rule of rules) {
    if (!rule.horizontal || rule.weak || rule.thickness > 3 || rule.to - rule.from < 1.5) {
      rest.push(rule)
      continue
    }
    const on: PlacedGlyph[] = []
    for (let key = Math.round(rule.at) - 14; key <= Math.round(rule.at) + 22; key++)
      for (const g of rows.get(key) ?? [])
        if (g.x >= rule.from - slack && g.box.x1 <= rule.to + slack && kindOf(g, rule) !== undefined)
          on.push(g)
    if (!covers(on, rule)) {
      rest.push(rule)
      continue
    }
    for (const g of on) {
      if (kindOf(g, rule) === 'under') g.underline = true
      else g.strike = true
    }
  }
  return rest
}

function kindOf(g: PlacedGlyph, rule: Rule): 'under' | 'through' | undefined {
  if (rule.thickness > 0.16 * g.size + 0.4) return undefined
  const below = (rule.at - g.y) / g.size
  if (below > 0.02 && below < 0.24) return 'under'
  if (below < -0.16 && below > -0.42) return 'through'
  return undefined
}

function covers(on: readonly PlacedGlyph[], rule: Rule): boolean {
  if (on.length === 0) return false
  const first = Math.min(...on.map((g) => g.box.x0))
  const last = Math.max(...on.map((g) => g.box.x1))
  if (Math.abs(first - rule.from) > slack || Math.abs(last - rule.to) > slack) return false
  const inked = on.reduce((sum, g) => sum + Math.max(0, g.box.x1 - g.box.x0), 0)
  return inked > 0.7 * (rule.to - rule.from) && on.some((g) => g.text.trim())
}
