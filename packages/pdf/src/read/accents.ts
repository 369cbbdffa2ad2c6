import type { Glyph } from './page.ts'

// Fonts without accented letters set the accent as a separate glyph over the letter: early TeX fonts, old drivers.

/** Accents, and the corresponding combining characters. */
const combining: ReadonlyMap<string, string> = new Map([
  ['´', '\u0301'],
  ['`', '\u0300'],
  ['¨', '\u0308'],
  ['ˇ', '\u030c'],
  ['˘', '\u0306'],
  ['˚', '\u030a'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
  ['˝', '\u030b'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['˙', '\u0307'],
])
/** These are also accents of formulas, where they are not part of a word. */
const ofFormulas = /^[ˆ˜¯˙]$/
const dotless: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ȷ', 'j'],
])

/** Maximum distance in paint order between a letter and its accent: the rest of a line. */
const reach = 150
/** Tolerance for the middle of an accent, more to the right over italics, and its height over capitals; in ems. */
const beside = 0.12
const raised = 0.4
/** Maximum gap between letters of a word, in ems. */
const inWord = 0.12
/** Tolerance for equal sizes, in points. */
const sameSize = 0.1

/** Unicode classifies some of the accents as letters. */
const isLetter = (g: Glyph): boolean => /^\p{L}$/u.test(g.text) && !combining.has(g.text)
const middleOf = (g: Glyph): number => (g.box.x0 + g.box.x1) / 2

export function composeAccents(glyphs: Glyph[]): Glyph[] {
  if (!glyphs.some((g) => combining.has(g.text))) return glyphs
  const out: (Glyph | undefined)[] = [...glyphs]
  for (const [i, accent] of glyphs.entries()) {
    const mark = combining.get(accent.text)
    if (!mark) continue
    const from = Math.max(0, i - reach)
    const near = out.slice(from, i + reach + 1).map((g, at) => ({ g, at: from + at }))
    const sameFont = near.flatMap(({ g, at }) =>
      g && isLetter(g) && g.font === accent.font && Math.abs(g.size - accent.size) < sameSize
        ? [{ g, at }]
        : [],
    )
    const base = sameFont
      .filter(({ g }) => isUnder(g, accent))
      .sort(
        (a, b) => Math.abs(middleOf(a.g) - middleOf(accent)) - Math.abs(middleOf(b.g) - middleOf(accent)),
      )[0]
    if (!base) continue
    const text = ((dotless.get(base.g.text) ?? base.g.text) + mark).normalize('NFC')
    const isPart = sameFont.some(({ g }) => g !== base.g && touches(g, base.g))
    if ([...text].length > 1 || (ofFormulas.test(accent.text) && !isPart)) continue
    out[base.at] = { ...base.g, text }
    out[i] = undefined
  }
  return out.filter((g) => g !== undefined)
}

function isUnder(letter: Glyph, accent: Glyph): boolean {
  const x = middleOf(accent)
  const room = beside * letter.size
  return x > letter.box.x0 && x < letter.box.x1 + room && Math.abs(letter.y - accent.y) < raised * letter.size
}

const touches = (a: Glyph, b: Glyph): boolean =>
  Math.abs(a.y - b.y) < inWord * a.size &&
  Math.max(a.box.x0 - b.box.x1, b.box.x0 - a.box.x1) < inWord * a.size
