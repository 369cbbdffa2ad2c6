import { isCjk } from '../lines/scripts.ts'
import type { Paragraph } from './block.ts'

// Chinese, Japanese and Korean fonts differ in their line heights by half, and every program has others to stand in for
// one that is missing. Their paragraphs name the distance of their lines.

/** In ems, where a paragraph has only one line. */
const usual = 1.3
/** Word processors put this share of an exact distance below the baseline. */
const shareBelow = 0.2

export function exactPitch(p: Paragraph): { pitch: number; below: number } | undefined {
  if (!isCjk(p.text) || p.pictures.some((x) => x.placement === 'inline')) return undefined
  const pitch = p.pitch ?? usual * p.size
  return { pitch, below: shareBelow * pitch }
}
