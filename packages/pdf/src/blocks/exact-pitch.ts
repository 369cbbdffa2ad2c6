import { isCjk } from '../lines/scripts.ts'
import type { Paragraph } from './block.ts'

// Chinese, Japanese and Korean fonts differ in their line heights by half, and every program has others to stand in for
// one that is missing; so has it for boxes to tick, arrows and other signs. Paragraphs with any of these name the distance
// of their lines.

/** Arrows, boxes, dingbats and signs of private fonts. */
const signs = /[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u2bff\ue000-\uf8ff]/
/** In ems, where a paragraph has only one line. */
const usual = 1.3
/** Word processors put this share of an exact distance below the baseline. */
const shareBelow = 0.2

export function exactPitch(p: Paragraph): { pitch: number; below: number } | undefined {
  // The bullet of an item is no part of its text once the item is one, and must not count before.
  const text = p.label && p.text.startsWith(p.label) ? p.text.slice(p.label.length) : p.text
  if (!(isCjk(text) || signs.test(text)) || p.pictures.some((x) => x.placement === 'inline')) return undefined
  const pitch = p.pitch ?? usual * p.size
  return { pitch, below: shareBelow * pitch }
}
