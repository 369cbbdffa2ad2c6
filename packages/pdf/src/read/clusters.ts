import { elementAt } from '../element-at.ts'
import type { Glyph } from './page.ts'

// One glyph may represent several letters: an Arabic letter with its vowel marks, lam with alef. PDFium gives each of
// them the glyph's origin and reverses the letters of a right-to-left line one by one, including those of one glyph.

/** Reversed order: a vowel mark never precedes its letter, and the ligature is lam with alef, never alef with lam. */
const turned = /^[\u0591-\u05c7\u064b-\u065f\u0670]|^[\u0622\u0623\u0625\u0627]\p{M}*\u0644/u

const isOneGlyph = (a: Glyph | undefined, b: Glyph): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.order === b.order

/** Maximum offset from the line of a letter with a mark that is set at its own height, relative to the size. */
const maxShift = 0.5
/** Search range for the next letter of the line, in glyphs and in ems. */
const nearest = 4
const farthest = 2

/** Maximum number of letters of one glyph; a hostile file may claim any number. */
const maxLetters = 8

const isSigned = (cluster: readonly Glyph[]): boolean =>
  cluster.some((g) => /^\p{L}/u.test(g.text)) && cluster.some((g) => /^\p{M}/u.test(g.text))

/**
 * A vowel mark may represent its letter too, if the letter's own glyph has no text: both are then at the height of the
 * mark. They belong on the line of their neighbours and fill the space between them.
 */
function onLine(cluster: readonly Glyph[], before: readonly Glyph[], after: readonly Glyph[]): Glyph[] {
  const [own] = cluster
  if (!own || !isSigned(cluster)) return [...cluster]
  const isNear = (g: Glyph): boolean =>
    g.size === own.size &&
    g.text.trim() !== '' &&
    Math.abs(g.y - own.y) < maxShift * own.size &&
    Math.abs(g.x - own.x) < farthest * own.size
  const host = [...before.toReversed(), ...after].find(isNear)
  if (!host || host.y === own.y) return [...cluster]
  const x0 = Math.min(...cluster.map((g) => g.box.x0))
  const x1 = Math.max(...cluster.map((g) => g.box.x1))
  const [right, left] = [before.at(-1), after[0]]
  const from = left && isNear(left) && left.box.x1 < x1 ? Math.min(x0, left.box.x1) : x0
  const to = right && isNear(right) && right.box.x0 > x0 ? Math.max(x1, right.box.x0) : x1
  const at = (x: number): number => from + ((x - x0) / (x1 - x0 || 1)) * (to - from)
  return cluster.map((g) => ({
    ...g,
    y: host.y,
    box: { x0: at(g.box.x0), x1: at(g.box.x1), y0: host.box.y0, y1: host.box.y1 },
  }))
}

/** Puts the letters of each such glyph in reading order and on the line. */
export function mendClusters(glyphs: Glyph[]): Glyph[] {
  if (!glyphs.some((g) => turned.test(g.text) || g.text === '\u0644')) return glyphs
  const out = [...glyphs]
  for (let from = 0, to = 1; from < glyphs.length; from = to, to = from + 1) {
    while (to < glyphs.length && isOneGlyph(glyphs[from], elementAt(glyphs, to))) to++
    const own = glyphs.slice(from, to)
    if (own.length > 1 && turned.test(own.map((g) => g.text).join('')))
      for (const [i, g] of own.entries()) out[from + i] = { ...g, text: elementAt(own, -1 - i).text }
    if (own.length < 2 || own.length > maxLetters) continue
    const before = out.slice(Math.max(0, from - nearest), from)
    const mended = onLine(out.slice(from, to), before, glyphs.slice(to, to + nearest))
    for (const [i, g] of mended.entries()) out[from + i] = g
  }
  return out
}
