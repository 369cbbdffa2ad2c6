import { area, type Box, centreX, centreY, contains } from '../geometry.ts'
import type { Drawings } from './drawings.ts'
import type { Glyph } from './page.ts'

// Decides which pages are pictures of paper, and which text on them was typeset.

/** A picture over most of the page is a scan with only a stamp typeset on it, or with a hidden text layer. */
const minCovered = 0.75
const fewSeen = 20
const timesHidden = 4
/** Stamps are within this share of the page's height from its edges and have at most a few lines; in letters. */
const edgeShare = 0.06
const maxStamped = 300

const count = (glyphs: readonly Glyph[], counts: (g: Glyph) => boolean): number =>
  glyphs.filter((g) => g.text.trim() && counts(g)).length

/** Spaces between words count as characters as well. */
const withSpaces = 2

/** Whether it has too much text for a scan, or a text layer. Counting costs less than reading. */
export const hasText = (characters: number): boolean => characters > withSpaces * (maxStamped + fewSeen)

/** A text layer of another program. A stamp on the picture is not part of it. */
export const hasHiddenText = (glyphs: readonly Glyph[]): boolean =>
  count(glyphs, (g) => g.invisible) >= fewSeen

/** Keeps text that is typeset on the picture; replaces the hidden text layer by the result of OCR. */
export function withStamps(recognised: readonly Glyph[], glyphs: readonly Glyph[]): Glyph[] {
  const stamps = glyphs.filter((g) => !g.invisible)
  const isStamped = ({ box }: Glyph): boolean =>
    stamps.some((s) => contains(s.box, centreX(box), centreY(box), 1))
  return [...recognised.filter((r) => !isStamped(r)), ...stamps]
}

/** Whether one picture covers the page without typeset text over it, except stamps on its edge or across it. */
export function isScan({ images }: Pick<Drawings, 'images'>, glyphs: readonly Glyph[], page: Box): boolean {
  const covered = images.reduce((sum, image) => sum + area(image.box), 0)
  if (covered < minCovered * area(page)) return false
  const edge = edgeShare * page.y1
  const isStamp = (g: Glyph): boolean => g.slanted || g.y < edge || g.y > page.y1 - edge
  const seen = count(glyphs, (g) => !g.invisible)
  const onPicture = count(glyphs, (g) => !g.invisible && !isStamp(g))
  const hidden = count(glyphs, (g) => g.invisible)
  return (onPicture < fewSeen && seen < maxStamped) || hidden > timesHidden * seen
}
