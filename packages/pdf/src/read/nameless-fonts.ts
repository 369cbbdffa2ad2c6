import { width } from '../geometry.ts'
import type { Font, Glyph } from './page.ts'

// TeX's bitmap fonts have no name and no character map in a PDF: PDFium returns their codes, which are those of TeX's
// text encodings (OT1 and T1). The other codes of these encodings are the same as in ASCII.

const signs: ReadonlyMap<number, string> = new Map([
  // OT1. Code 13 of `fl` is a carriage return in files of other programs.
  [11, 'ff'],
  [12, 'fi'],
  [14, 'ffi'],
  [15, 'ffl'],
  // T1.
  [16, '“'],
  [17, '”'],
  [18, '„'],
  [21, '–'],
  [22, '—'],
  [27, 'ff'],
  [28, 'fi'],
  [29, 'fl'],
  [30, 'ffi'],
  [31, 'ffl'],
  [255, 'ß'],
  // TS1, the companion encoding of T1: bullets.
  [136, '•'],
])

export const namelessSign = (code: number): string | undefined => signs.get(code)

/** Letters whose widths differ in every proportional font. */
const narrow = new Set('ijlt.,:;()')
const wide = new Set('mwMWabcdenou')
/** Minimum number of different letters: fewer may have the same width by chance. */
const fewest = 4
/** Tolerance for widths relative to the size: bitmaps have whole numbers of pixels. */
const tolerance = 0.02

function isFixed(glyphs: readonly Glyph[]): boolean {
  const widthOf = (among: ReadonlySet<string>): number[] => [
    ...new Map(
      glyphs.filter((g) => among.has(g.text)).map((g) => [g.text, width(g.box) / g.size] as const),
    ).values(),
  ]
  const [slim, broad] = [widthOf(narrow), widthOf(wide)]
  const all = [...slim, ...broad]
  return (
    slim.length > 0 &&
    broad.length > 0 &&
    all.length >= fewest &&
    Math.max(...all) - Math.min(...all) < tolerance
  )
}

/** Fonts without a name whose narrow letters are as wide as the others are monospaced. */
export function nameFixed(glyphs: Glyph[]): Glyph[] {
  const nameless = Map.groupBy(
    glyphs.filter((g) => g.font.nameless && g.turn === 0),
    (g) => g.font,
  )
  const fixed = new Map<Font, Font>(
    [...nameless].flatMap(([font, own]) => (isFixed(own) ? [[font, { ...font, mono: true }] as const] : [])),
  )
  return fixed.size === 0 ? glyphs : glyphs.map((g) => ({ ...g, font: fixed.get(g.font) ?? g.font }))
}
