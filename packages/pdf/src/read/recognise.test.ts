import { describe, expect, it } from 'vitest'
import type { Grey } from './ocr/grey.ts'
import type { OcrWord } from './ocr/words.ts'
import { understandScan } from './recognise.ts'

// Pictures of pages, painted by hand: one dot per point.

const paper = (width: number, height: number): Grey => ({
  width,
  height,
  dotsPerInch: 72,
  pixels: new Uint8Array(width * height).fill(255),
})

function paint(on: Grey, x: number, y: number, wide: number, tall: number): void {
  for (let row = y; row < y + tall; row++) on.pixels.fill(0, row * on.width + x, row * on.width + x + wide)
}

/** A word whose letters are strokes of one width. */
function write(
  on: Grey,
  text: string,
  at: { x: number; y: number; line?: string; stroke?: number; step?: number; height?: number },
): OcrWord {
  const { x, y, line = `1.1.1.${y}`, stroke = 2, step = 10, height = 14 } = at
  for (let i = 0; i < text.length; i++) paint(on, x + i * step, y, stroke, height)
  const width = (text.length - 1) * step + stroke
  return { text, left: x, top: y, width, height, line, confidence: 90 }
}

const textOf = (glyphs: readonly { text: string }[]): string => glyphs.map((g) => g.text).join('')

describe('a scanned page', () => {
  it('has the lines that are drawn on it, but not the strokes of its letters', () => {
    const page = paper(400, 200)
    paint(page, 20, 40, 300, 1)
    paint(page, 20, 40, 1, 60)
    const word = write(page, 'lllll', { x: 60, y: 60, height: 30 })
    const { rules } = understandScan([word], page, 1)
    expect(rules.map((r) => [r.horizontal, Math.round(r.from), Math.round(r.to)])).toEqual([
      [true, 20, 320],
      [false, 40, 100],
    ])
  })

  it('has no lines where a picture is', () => {
    const page = paper(400, 200)
    paint(page, 20, 40, 300, 80)
    expect(understandScan([], page, 1).rules).toEqual([])
  })

  it('reads no line of a table as a sign', () => {
    const page = paper(400, 200)
    paint(page, 50, 20, 2, 120)
    const bar = { text: '|', left: 49, top: 40, width: 3, height: 14, line: '1.1.1.1', confidence: 90 }
    const cell = { ...bar, text: '|Name', width: 50, top: 80, line: '1.1.1.2' }
    const high = { ...bar, left: 200, height: 24, line: '1.1.1.3' }
    const row = { ...bar, text: '12', left: 160, width: 14, line: '1.1.1.3' }
    const { glyphs } = understandScan([bar, cell, row, high], page, 1)
    expect(textOf(glyphs).trim()).toBe('Name 12')
  })

  it('shows which lines are bold', () => {
    const page = paper(600, 300)
    const words = [20, 60, 100].map((y) => write(page, 'bdhklbdhkl', { x: 20, y }))
    const title = write(page, 'bdhklbdhkl', { x: 20, y: 140, stroke: 4 })
    const { glyphs } = understandScan([...words, title], page, 1)
    const lines = new Map(glyphs.map((g) => [g.order, g.font.bold]))
    expect([...lines.values()]).toEqual([false, false, false, true])
  })

  it('has bullets where spots stand before lines, whatever they were read as', () => {
    const page = paper(400, 200)
    paint(page, 40, 46, 7, 7)
    paint(page, 40, 86, 7, 7)
    paint(page, 40, 166, 7, 7)
    const read = { text: 'e', left: 40, top: 46, width: 7, height: 7, line: '1.1.1.1', confidence: 60 }
    const first = write(page, 'bdhkl', { x: 60, y: 40, line: '1.1.1.1' })
    const second = write(page, 'bdhkl', { x: 60, y: 80, line: '1.1.1.2' })
    const third = write(page, 'bdhkl', { x: 60, y: 120, line: '1.1.1.3' })
    const signs = { ...read, text: '-.', top: 166, line: '1.1.1.4' }
    const fourth = write(page, 'bdhkl', { x: 60, y: 160, line: '1.1.1.4' })
    const { glyphs } = understandScan([read, first, second, third, signs, fourth], page, 1)
    expect(textOf(glyphs)).toBe('• bdhkl • bdhkl bdhkl • bdhkl ')
  })

  it('has bullets where lines begin with the same sign, but not where numbers have it', () => {
    const page = paper(400, 200)
    const words = ['bdhkl', 'bdhkl', '500', '500'].flatMap((text, i) => {
      const [x, y, line] = [i < 2 ? 60 : 80, 40 * (i + 1), `1.1.1.${i}`]
      paint(page, x - 20, y + 4, 12, 6)
      const sign = { text: '+', left: x - 20, top: y + 4, width: 12, height: 6, line, confidence: 60 }
      return [sign, write(page, text, { x, y, line })]
    })
    expect(textOf(understandScan(words, page, 1).glyphs)).toBe('• bdhkl • bdhkl + 500 + 500 ')
  })

  it('has bullets on the right of lines that are read from the right', () => {
    const page = paper(400, 200)
    const words = [40, 80].flatMap((y) => {
      paint(page, 340, y + 6, 7, 7)
      const read = {
        text: '6',
        left: 340,
        top: y + 6,
        width: 7,
        height: 7,
        confidence: 60,
        line: `1.1.1.${y}`,
      }
      return [read, write(page, 'שלום', { x: 286, y })]
    })
    const { glyphs } = understandScan(words, page, 1)
    expect(textOf(glyphs)).toBe('• שלום • שלום ')
  })

  it('has a bullet once, although it is read as a line of its own', () => {
    const page = paper(400, 200)
    paint(page, 40, 46, 7, 7)
    const text = write(page, 'bdhkl', { x: 60, y: 40, line: '1.1.1.2' })
    const read = { text: '°', left: 40, top: 46, width: 7, height: 7, line: '1.1.1.1', confidence: 60 }
    expect(textOf(understandScan([read, text], page, 1).glyphs)).toBe('• bdhkl ')
  })

  it('has bullets that a speck or noise has damaged', () => {
    const page = paper(400, 200)
    const words = [40, 80, 120].map((y) => {
      paint(page, 40, y + 6, 7, 7)
      return write(page, 'bdhkl', { x: 60, y })
    })
    paint(page, 52, 42, 1, 1)
    for (const y of [88, 90]) page.pixels.fill(255, y * page.width + 41, y * page.width + 47)
    const { glyphs } = understandScan(words, page, 1)
    expect(textOf(glyphs)).toBe('• bdhkl • bdhkl • bdhkl ')
  })

  it('has bullets as high as capitals, but no rings of letters', () => {
    const page = paper(400, 200)
    paint(page, 34, 41, 13, 13)
    paint(page, 60, 81, 13, 13)
    for (let y = 83; y < 92; y++) page.pixels.fill(255, y * page.width + 62, y * page.width + 71)
    const words = [40, 80].map((y) => write(page, 'bdhkl', { x: 20 + y, y }))
    expect(textOf(understandScan(words, page, 1).glyphs)).toBe('• bdhkl bdhkl ')
  })

  it('has hollow bullets, but not the letter o', () => {
    const page = paper(400, 200)
    const ring = (x: number, y: number, side: number): void => {
      paint(page, x, y, side, side)
      for (let row = y + 2; row < y + side - 2; row++)
        page.pixels.fill(255, row * page.width + x + 2, row * page.width + x + side - 2)
    }
    ring(40, 43, 8)
    ring(60, 83, 10)
    ring(48, 123, 8)
    const words = [40, 80, 120].map((y) => write(page, 'bdhkl', { x: y === 80 ? 80 : 60, y }))
    const o = { text: 'o', left: 60, top: 83, width: 10, height: 10, line: '1.1.1.80', confidence: 90 }
    expect(textOf(understandScan([o, ...words], page, 1).glyphs)).toBe('o bdhkl ◦ bdhkl bdhkl ')
  })

  it('compares the strokes of digits with those of letters, not of ideographs', () => {
    const page = paper(600, 300)
    const words = [20, 60, 100].map((y) =>
      write(page, '陶器陶器陶器陶器陶器', { x: 20, y, stroke: 1, height: 18 }),
    )
    const numbers = [140, 180].map((y) => write(page, '2347 63086', { x: 20, y }))
    const { glyphs } = understandScan([...words, ...numbers], page, 1)
    expect(new Set(glyphs.map((g) => g.font.bold))).toEqual(new Set([false]))
  })

  it('has a label before an item that it was read as one word with, and dashes', () => {
    const page = paper(400, 200)
    const label = write(page, 'B.', { x: 20, y: 40, step: 4 })
    const item = write(page, 'Halt', { x: 32, y: 40, step: 5 })
    const joined = { ...label, text: 'B.Halt', width: item.left + item.width - label.left }
    const even = write(page, 'U.Sill', { x: 20, y: 80, step: 5 })
    const wave = { ...even, text: '~', top: 125, width: 9, height: 3, line: '1.1.1.3' }
    paint(page, 20, 125, 9, 3)
    const dashed = write(page, 'bdhkl', { x: 50, y: 120, line: '1.1.1.3' })
    const { glyphs } = understandScan([joined, even, wave, dashed], page, 1)
    expect(textOf(glyphs)).toBe('B. Halt U.Sill – bdhkl ')
    expect(glyphs.find((g) => g.text === 'H')?.x).toBeCloseTo(32, 0)
  })

  it('keeps the size of a heading that tesseract counts as part of a paragraph', () => {
    const page = paper(600, 300)
    const heights = [20, 30, 30, 14, 14]
    const words = heights.map((height, i) =>
      write(page, 'bdhklbdhklbdhkl', { x: 20, y: 20 + 50 * i, height, line: `1.1.1.${i}` }),
    )
    const { glyphs } = understandScan(words, page, 1)
    const sizes = new Map(glyphs.map((g) => [g.order, Math.round(g.size)]))
    expect([...sizes.values()]).toEqual([28, 42, 42, 20, 20])
  })

  it('derives the size of a line from its letters', () => {
    const page = paper(600, 200)
    const words = [
      { text: 'sonne', height: 51 },
      { text: 'counter', height: 64 },
      { text: 'Halt', height: 71 },
      { text: 'gyp', height: 72 },
      { text: 'één', height: 71 },
      { text: 'руд', height: 72 },
      { text: '陶芸家', height: 92 },
      { text: 'חומר', height: 68 },
    ].map(({ text, height }, i) => write(page, text, { x: 20 + 80 * i, y: 20, height, line: `1.${i}.1.1` }))
    const { glyphs } = understandScan(words, page, 2)
    for (const g of glyphs) expect(g.size).toBeCloseTo(50, 0)
  })
})
