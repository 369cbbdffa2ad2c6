import { isCjk } from '../lines/scripts.ts'
import type { Paragraph } from './block.ts'

// Line heights of Chinese, Japanese and Korean fonts differ by up to a half, and every program substitutes missing
// fonts differently; the same holds for check boxes, arrows and other symbols. Paragraphs with such characters get an
// exact line pitch.

/** Arrows, boxes, dingbats and private-use characters. */
const signs = /[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u2bff\ue000-\uf8ff]/
/** Line pitch in ems for paragraphs of one line. */
const usual = 1.3
/** Word processors put this share of an exact line pitch below the baseline. */
const shareBelow = 0.2

export function exactPitch(p: Paragraph): { pitch: number; below: number } | undefined {
  // The bullet is removed from the text when the paragraph becomes a list item, so it does not count here either.
  const text = p.label && p.text.startsWith(p.label) ? p.text.slice(p.label.length) : p.text
  if (!(isCjk(text) || signs.test(text)) || p.pictures.some((x) => x.placement === 'inline')) return undefined
  const pitch = p.pitch ?? usual * p.size
  return { pitch, below: shareBelow * pitch }
}
