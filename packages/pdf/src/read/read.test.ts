import { describe, expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { withoutDoubles } from './doubles.ts'
import { describeFont, withoutSubsetPrefix } from './fonts.ts'
import { jpegShape } from './jpeg.ts'
import { limits } from './limits.ts'
import { parseTsv, sureWords } from './ocr/words.ts'
import { encodePng } from './png.ts'
import { isoDate } from './properties.ts'
import { dotsFor, settleSizes } from './scan-sizes.ts'
import { sortPath } from './shapes.ts'
import { applyX, applyY, uprightMatrix } from './transform.ts'

const square = (x: number, y: number, w: number, h: number) => ({
  points: [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ],
  curved: false,
  closed: true,
})

describe('reading', () => {
  it('gives recognised lines one size unless they differ by more than their letters', () => {
    const lines = [9, 10, 10, 10, 12].map((size, i) => glyphsOf('line', 50, 100 + 12 * i, size))
    const title = glyphsOf('big', 50, 50, 20)
    const sizes = settleSizes([...lines.flat(), ...title]).map((g) => g.size)
    expect(new Set(sizes)).toEqual(new Set([10, 20]))
  })

  it('paints no page for recognition larger than it may be, nor finer than it helps', () => {
    const pixels = (width: number, height: number): number =>
      dotsFor({ x0: 0, y0: 0, x1: width, y1: height }) ** 2 * width * height
    expect(dotsFor({ x0: 0, y0: 0, x1: 595, y1: 842 })).toBeCloseTo(200 / 72)
    // A point for every dot of a scan.
    expect(dotsFor({ x0: 0, y0: 0, x1: 2480, y1: 3508 }, 1)).toBe(1)
    for (const side of [2480, 20_000, 1e7])
      expect(pixels(side, 1.4 * side)).toBeLessThan(limits.pixelsPerPicture)
  })

  it('names fonts without the subset prefix and sees their weight', () => {
    expect(withoutSubsetPrefix('ABCDEF+Carlito-Bold')).toBe('Carlito-Bold')
    expect(describeFont('ABCDEF+Carlito-BoldItalic', 0, 400, 0)).toMatchObject({
      bold: true,
      italic: true,
      serif: false,
    })
    expect(describeFont('CMBX10', 0, 0, 0).bold).toBe(true)
    expect(describeFont('BAAAAA+Caladea-Regular', 6, 704, 0).bold).toBe(false)
    expect(describeFont('Caladea', 6, 704, 0).bold).toBe(true)
    expect(describeFont('KaTeX_Math-Italic', 68, 750, 0).bold).toBe(false)
    for (const name of ['Hack-Regular', 'SourceCodePro-Bold', 'LMTT10', 'FiraCode', 'CourierNewPSMT'])
      expect(describeFont(name, 0, 400, 0).mono, name).toBe(true)
    for (const name of ['Codex', 'Barcode39', 'Shackleton'])
      expect(describeFont(name, 0, 400, 0).mono, name).toBe(false)
  })

  it('turns PDF dates into ISO ones', () => {
    expect(isoDate("D:20240131120000+01'00'")).toBe('2024-01-31T11:00:00Z')
    expect(isoDate('yesterday')).toBe('')
  })

  it('drops a shadow, keeps a doubled letter and what is painted on top', () => {
    const text = glyphsOf('aa', 50, 100)
    const shadow = glyphsOf('aa', 50.5, 100.5, 10, { order: 1 })
    const kept = withoutDoubles([...text, ...shadow])
    expect(kept.map((g) => g.text).join('')).toBe('aa')
    expect(kept.every((g) => g.order === 1)).toBe(true)
  })

  it('sorts paths into rules, fills and drawings', () => {
    const paint = { fill: 'ff0000', stroke: undefined, thickness: 1 }
    expect(sortPath([square(0, 0, 200, 1)], paint).rules[0]).toMatchObject({ horizontal: true, weak: false })
    expect(sortPath([square(0, 0, 200, 50)], paint).fills).toHaveLength(1)
    expect(sortPath([{ ...square(0, 0, 9, 9), curved: true }], paint).art).toHaveLength(1)
  })

  it('turns pages upright', () => {
    const { matrix, width, height } = uprightMatrix({ x0: 0, y0: 0, x1: 100, y1: 200 }, 1)
    expect([width, height]).toEqual([200, 100])
    expect([applyX(matrix, 0, 0), applyY(matrix, 0, 0)]).toEqual([0, 0])
  })

  it('writes a PNG and knows a JPEG', () => {
    const png = encodePng({ width: 1, height: 1, pixels: new Uint8Array([1, 2, 3, 255]) })
    expect([...png.subarray(1, 4)].map((c) => String.fromCharCode(c)).join('')).toBe('PNG')
    const head = new Uint8Array([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 7, 3, 1, 0x11, 0, 0])
    expect(jpegShape(head)).toEqual({ width: 7, height: 5, channels: 3, isByAdobe: false })
    expect(jpegShape(png)).toBeUndefined()
  })

  it('takes words that recognition was sure of, or of the line around them', () => {
    const row = (confidence: number, text: string): string =>
      ['5', '1', '1', '1', '1', '1', '10', '20', '30', '12', confidence, text].join('\t')
    expect(
      sureWords(parseTsv(['head', row(91, 'sure'), row(12, 'unsure')].join('\n'))).map((w) => w.text),
    ).toEqual(['sure'])
    const line = ['all', 'these', 'words', 'are'].map((text) => row(95, text))
    expect(sureWords(parseTsv(['head', ...line, row(30, 'right')].join('\n')))).toHaveLength(5)
  })
})
