import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCharacters } from '../../fonts/characters.ts'
import { readMetrics } from '../../fonts/glyph-widths.ts'
import { readFont } from '../../fonts/sfnt.ts'
import { parseBoxes, parseWidths } from '../../fonts/target-widths.ts'
import { substituteFonts } from '../../src/engines/fonts.ts'

// The fonts that the set-up made, read again and held against the tables that they were made by.

const fonts = join(import.meta.dirname, '../../fonts')
const made = join(fonts, 'build/fonts')
const read = (name: string) => JSON.parse(readFileSync(join(fonts, name), 'utf8'))

interface Facts {
  source: string[]
  line: [number, number, number]
  widths?: string
  boxes?: string
  fixed?: number
}
const metrics: { sources: Record<string, string>; fonts: Record<string, Record<string, Facts>> } =
  read('metrics.json')
const facesOf = (name: string): Record<string, Facts> => metrics.fonts[name] ?? {}

const openMade = (file: string) => readFont(readFileSync(join(made, file)))

test('every substitute is made, under a name of its own', () => {
  const files = readdirSync(made).join('\n')
  const wanted = substituteFonts.filter((row) => !row.variant).flatMap((row) => row.for)
  expect(new Set(wanted).size).toBe(wanted.length)
  for (const { name, bases } of substituteFonts) {
    expect(wanted).not.toContain(name)
    const base = bases.Regular?.split(' ')[0] ?? ''
    const start = base.endsWith('.ttc') ? `Kiln-${base}` : `${name.replaceAll(' ', '-')}-Regular`
    expect(files).toContain(start)
  }
})

test('every row of metrics names its source', () => {
  for (const [font, faces] of Object.entries(metrics.fonts))
    for (const { source } of Object.values(faces))
      for (const each of source) expect(Object.keys(metrics.sources), font).toContain(each.split(' ')[0])
})

test('glyphs have the widths and lines the heights of the table', () => {
  let compared = 0
  for (const row of substituteFonts.filter(({ bases }) => /\.ttf$/.test(bases.Regular ?? ''))) {
    for (const [style, face] of Object.entries(facesOf(row.metrics))) {
      if (!row.bases[style] || row.symbols) continue
      const ending = row.eastAsian ? 'ttc' : 'ttf'
      const { tables } = openMade(`${`${row.name} ${style}`.replaceAll(' ', '-')}.${ending}`)
      const em: number = tables.need('head').readUInt16BE(18)
      const characters = readCharacters(tables.need('cmap'))
      const advances = readMetrics(tables)
      for (const [code, width] of parseWidths(face.widths)) {
        const glyph = characters.get(code)
        if (glyph === undefined) continue
        expect(
          (advances[glyph]?.advance ?? 0) / em,
          `${row.metrics} ${style} U+${code.toString(16)}`,
        ).toBeCloseTo(width, 2)
        compared += 1
      }
      expect(tables.need('hhea').readInt16BE(4) / em).toBeCloseTo(
        row.cellLine ? row.cellLine - face.line[1] : face.line[0],
        2,
      )
      expect(-tables.need('hhea').readInt16BE(6) / em).toBeCloseTo(
        row.variant === 'label' ? 0 : face.line[1],
        2,
      )
    }
  }
  expect(compared).toBeGreaterThan(2000)
})

test('outlines of symbols fill the boxes of the table', () => {
  let compared = 0
  for (const { name, metrics: font } of substituteFonts.filter(({ symbols }) => symbols)) {
    const { tables } = openMade(`${name.replaceAll(' ', '-')}-Regular.ttf`)
    const em: number = tables.need('head').readUInt16BE(18)
    const cmap = Buffer.from(tables.need('cmap'))
    // As if the codes of the symbol font were Unicode.
    cmap.writeUInt16BE(1, 6)
    const characters = readCharacters(cmap)
    const [outlines, places, advances] = [tables.need('glyf'), tables.need('loca'), readMetrics(tables)]
    for (const [code, box] of parseBoxes(facesOf(font).Regular?.boxes)) {
      const glyph = characters.get(code) ?? 0
      const at = places.readUInt32BE(4 * glyph)
      const found = [2, 4, 6, 8].map((offset) => outlines.readInt16BE(at + offset) / em)
      for (const [index, edge] of box.entries())
        expect(found[index], `${font} U+${code.toString(16)}`).toBeCloseTo(edge, 2)
      expect((advances[glyph]?.left ?? 0) / em).toBeCloseTo(box[0] ?? 0, 2)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(10)
})

test('characters of Calibri Light whose widths are not known are as wide as those of Calibri', () => {
  const widthsOf = (file: string) => {
    const { tables } = openMade(file)
    const [characters, advances] = [readCharacters(tables.need('cmap')), readMetrics(tables)]
    const em: number = tables.need('head').readUInt16BE(18)
    return Array.from('0189,;()/vz', (character) => {
      const glyph = characters.get(character.codePointAt(0) ?? 0) ?? 0
      return Math.round(((advances[glyph]?.advance ?? 0) / em) * 200)
    })
  }
  const nameOf = (font: string) =>
    `${substituteFonts.find((row) => row.for.includes(font))?.name.replaceAll(' ', '-')}-Regular.ttf`
  expect(widthsOf(nameOf('Calibri Light'))).toEqual(widthsOf(nameOf('Calibri')))
})

test('"same" is said only where the widths of letters, digits and the usual marks are known', () => {
  const usual = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-']
  for (const { name, metrics: font, fit, bases, symbols } of substituteFonts) {
    const face = facesOf(font).Regular
    const known = parseWidths(face?.widths)
    // A base that was drawn to the widths in the first place is left as it is.
    const complete =
      symbols !== undefined ||
      face?.fixed !== undefined ||
      (known.size === 0
        ? /^Liberation|\.otf$/.test(bases.Regular ?? '')
        : usual.every((each) => known.has(each.charCodeAt(0))))
    expect(complete ? 'same' : 'near', name).toBe(fit)
  }
})

test("LibreOffice's own table leads symbols to the substitute fonts", () => {
  const profile = readFileSync(
    join(fonts, '../src/engines/libreoffice/profile/registrymodifications.xcu'),
    'utf8',
  )
  for (const { name, for: names, symbols } of substituteFonts.filter((row) => row.symbols !== undefined)) {
    const squeezed = (text: string) => text.toLowerCase().replaceAll(' ', '')
    expect(symbols).toBe(names[0])
    expect(profile).toContain(`LFonts['${squeezed(names[0] ?? '')}']`)
    expect(profile).toContain(`<value>${squeezed(name)};opensymbol</value>`)
  }
})

test('a font that is written anew adds up, as the format demands', () => {
  for (const file of readdirSync(made).filter((name) => name.endsWith('.ttf'))) {
    const bytes = readFileSync(join(made, file))
    let sum = 0
    for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
    expect(sum, file).toBe(0xb1b0afba)
  }
})
