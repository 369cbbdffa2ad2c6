import type { Glyph } from './page.ts'

// One glyph may stand for several letters: an Arabic letter with its vowel signs, lam with alef. PDFium gives each of them
// the glyph's origin, and turns the letters of a right-to-left line around one by one, those of a glyph too.

/** No vowel sign stands before its letter, and the ligature of the two is lam with alef, never alef with lam. */
const turned = /^[\u0591-\u05c7\u064b-\u065f\u0670]|^[\u0622\u0623\u0625\u0627]\p{M}*\u0644/u

const isOneGlyph = (a: Glyph | undefined, b: Glyph): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.order === b.order

/** The letters of each such glyph in the order of reading. */
export function mendClusters(glyphs: Glyph[]): Glyph[] {
  if (!glyphs.some((g) => turned.test(g.text) || g.text === '\u0644')) return glyphs
  const out = [...glyphs]
  for (let from = 0, to = 1; from < glyphs.length; from = to, to = from + 1) {
    while (to < glyphs.length && isOneGlyph(glyphs[from], glyphs[to] as Glyph)) to++
    const own = glyphs.slice(from, to)
    if (own.length > 1 && turned.test(own.map((g) => g.text).join('')))
      for (const [i, g] of own.entries()) out[from + i] = { ...g, text: (own.at(-1 - i) as Glyph).text }
  }
  return out
}
