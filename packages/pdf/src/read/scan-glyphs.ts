import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import { type OcrWord, rightToLeft } from './ocr/words.ts'
import type { Font, Glyph, Page } from './page.ts'
import { plainFont } from './plain-font.ts'
import { reliable, type SizedLine, tailOf } from './scan-sizes.ts'

// Converts words from OCR to glyphs.

/** Limits of font sizes in points: smaller and larger marks are specks and ornaments. */
const smallestSize = 4
const largestSize = 60
/** Width of a letter as a share of its advance: letters of a word do not touch. */
const letterInStep = 0.98
/** In points: enough to precede a letter. */
const hair = 0.01

const plain = plainFont('Times New Roman')
const bold: Font = { ...plain, bold: true }

/** In pixels, like `size`. */
export function baselineOf(words: readonly OcrWord[], size: number): number {
  return median(reliable(words).map((w) => w.top + w.height - tailOf(w.text) * size))
}

/** `scale` is pixels per point. */
export function scanGlyphs(
  lines: readonly SizedLine[],
  scale: number,
  page: Pick<Page, 'width' | 'height'>,
): Glyph[] {
  const out: Glyph[] = []
  for (const [order, line] of lines.entries()) {
    const size = Math.min(largestSize, Math.max(smallestSize, line.size / scale))
    const baseline = baselineOf(line.words, size * scale) / scale
    for (const word of line.words)
      out.push(...wordGlyphs(word, { size, baseline, scale, order, font: line.bold ? bold : plain }))
  }
  return out.filter((g) => g.x < page.width && g.y < page.height)
}

function wordGlyphs(
  word: OcrWord,
  on: { size: number; baseline: number; scale: number; order: number; font: Font },
): Glyph[] {
  const { size, baseline, scale, order, font } = on
  const characters = [...word.text]
  const step = word.width / scale / characters.length
  const back = rightToLeft.test(word.text)
  const out = characters.map((text, i): Glyph => {
    const x = word.left / scale + (back ? characters.length - 1 - i : i) * step
    return {
      text,
      x,
      y: baseline,
      box: {
        x0: x,
        x1: x + step * letterInStep,
        y0: baseline - font.ascent * size,
        y1: baseline + font.descent * size,
      },
      size,
      font,
      color: '000000',
      turn: 0,
      slanted: false,
      order,
      tag: -1,
      invisible: true,
    }
  })
  const last = elementAt(out, -1)
  // After the word in reading order: to the left of a right-to-left word.
  const { x0 } = last.box
  const space = back ? { ...last, x: x0 - hair, box: { ...last.box, x0: x0 - hair } } : last
  return [...out, { ...space, text: ' ' }]
}
