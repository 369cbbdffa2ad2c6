import type { Glyph } from './page.ts'

// Fonts without accented letters set the accent as a glyph of its own over the letter: TeX's first fonts, old drivers.

/** Accents, and what Unicode puts behind a letter instead. */
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
/** These stand over the letters of formulas too: there they are no part of a word. */
const ofFormulas = /^[ˆ˜¯˙]$/
const dotless: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ȷ', 'j'],
])

/** The letter is painted near its accent: no more than the rest of a line lies between them. */
const reach = 150
/** The middle of an accent is over its letter, further to the right over a slanted one; raised over capitals. In ems. */
const beside = 0.12
const raised = 0.4
/** Letters of a word touch or nearly so, in ems. */
const inWord = 0.12
/** Sizes are the same but for rounding, in points. */
const sameSize = 0.1

/** Some of the accents are letters to Unicode. */
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
