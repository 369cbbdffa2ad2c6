import type { Font, Glyph, Page } from '../read/page.ts'
import type { TextRun } from './line.ts'

// Small synthetic pages for the tests of the stages.

export const plainFont: Font = {
  name: 'Times New Roman',
  bold: false,
  italic: false,
  serif: true,
  mono: false,
  ascent: 0.9,
  descent: 0.2,
}

/** Glyphs of a text, each half an em wide, on one baseline. */
export function glyphsOf(
  text: string,
  x: number,
  y: number,
  size = 10,
  change: Partial<Glyph> = {},
): Glyph[] {
  return [...text].map((char, i) => {
    const x0 = x + i * 0.5 * size
    return {
      text: char,
      x: x0,
      y,
      box: { x0, x1: x0 + 0.5 * size, y0: y - 0.9 * size, y1: y + 0.2 * size },
      size,
      font: plainFont,
      color: '000000',
      turn: 0,
      slanted: false,
      order: 0,
      tag: -1,
      invisible: false,
      ...change,
    }
  })
}

export function pageOf(glyphs: Glyph[], change: Partial<Page> = {}): Page {
  return {
    number: 0,
    width: 600,
    height: 800,
    glyphs,
    rules: [],
    fills: [],
    pictures: [],
    links: [],
    fields: [],
    tags: new Map(),
    scan: false,
    ...change,
  }
}

export const plainStyle: TextRun['spans'][number]['style'] = {
  font: plainFont,
  size: 10,
  bold: false,
  italic: false,
  color: '000000',
  underline: false,
  strike: false,
  script: undefined,
  link: undefined,
  field: undefined,
  highlight: undefined,
}

export function textRunOf(text: string, x: number, y: number, size = 10): TextRun {
  const words = text.split(' ').reduce<{ at: number; out: TextRun['words'] }>(
    (state, word) => {
      const x0 = x + state.at * 0.5 * size
      state.out.push({ text: word, box: { x0, x1: x0 + word.length * 0.5 * size, y0: y - 9, y1: y + 2 } })
      return { at: state.at + word.length + 1, out: state.out }
    },
    { at: 0, out: [] },
  ).out
  const style = { ...plainStyle, size }
  return {
    box: { x0: x, x1: x + text.length * 0.5 * size, y0: y - 0.9 * size, y1: y + 0.2 * size },
    baseline: y,
    size,
    font: plainFont,
    spans: [{ text, style }],
    text,
    words,
    rtl: false,
    tag: undefined,
    order: 0,
    turn: 0,
  }
}
