import type { Box } from '../geometry.ts'
import { plainFont } from '../read/plain-font.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph } from './block.ts'

/** A paragraph without text, with default values. */
export function emptyParagraph(box: Box, page: number, like: Paragraph | undefined): Paragraph {
  return {
    kind: 'paragraph',
    runs: [],
    text: '',
    align: 'left',
    left: 0,
    right: 0,
    first: 0,
    spread: 0,
    lines: 1,
    size: like?.size ?? usualSize,
    font: like?.font ?? plainFont('Times New Roman'),
    bold: false,
    before: 0,
    after: 0,
    tabs: [],
    rtl: false,
    label: '',
    textAt: 0,
    firstBaseline: box.y1,
    lastBaseline: box.y1,
    lastLine: box,
    box,
    page,
    startsPage: false,
    startsColumn: false,
    pictures: [],
  }
}
