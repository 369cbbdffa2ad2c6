import { type Characters, readCharacters, writeCharacters } from './characters.ts'
import { dropOtherTables, type Line, setLineHeight, setNames, setStyle, switchOffFeatures } from './face.ts'
import { readMetrics, setGlyphWidths } from './glyph-widths.ts'
import { type Font, readFont, Tables } from './sfnt.ts'
import { type Base, type Face, learn, parseWidths, targetBoxes, targetWidths } from './target-widths.ts'

// One substitute font: the faces of a free family, each with the widths and heights that the wanted font has.

// Word sets lines of East Asian fonts this much higher than the font's own box, half of it above, half below.
const wordHeight = 1.3

// Taller or lower than this, and capitals would be wrong where small letters are right.
const tallest = 1.1

export interface Row {
  name: string
  for: readonly string[]
  metrics: string
  bases: Readonly<Record<string, string>>
  eastAsian?: boolean
  wide?: number
  symbols?: string
  /**
   * For labels of list items in Word, which do not raise their line, or for cells in Excel, whose lines are higher.
   * Programs select it by the font's name and this word. `fallback` is for symbols that the wanted font lacks.
   */
  variant?: 'label' | 'cells' | 'fallback'
  /** Height of a line in cells, in ems. */
  cellLine?: number
}

/** Runs of characters by the code of their first, in hexadecimal. */
export type Symbols = Readonly<Record<string, string>>

type OpenBase = (name: string) => { file: Buffer; number: number }

/** Name of a substitute in Word's documents, where lines of East Asian fonts are higher. */
export const nameForWord = (name: string) => `${name} W`

/** The fonts of one substitute. `openBase(name)` gives `{ file, number }`: a font file, and which font in it. */
export function makeSubstitute(
  row: Row,
  metrics: Readonly<Record<string, Face>>,
  symbols: Symbols | undefined,
  openBase: OpenBase,
): { base: string; style: string; font: Font }[] {
  const first = metrics.Regular ?? Object.values(metrics)[0]
  if (!first || !row.bases.Regular) throw new Error('nothing is known of it')
  const model = learn(parseWidths(first.widths), openFace(row.bases.Regular, openBase, symbols))
  const changes = row.wide || Object.values(metrics).some((face) => face.widths || face.fixed)
  return Object.entries(row.bases).flatMap(([style, name]) => {
    const base = openFace(name, openBase, symbols)
    const { tables } = base
    const known = metrics[style]
    const face: Face = { ...first, ...(known ?? { widths: '' }), wide: row.wide }
    if (changes)
      setGlyphWidths(tables, targetWidths(face, base, model), tallness(face, base), targetBoxes(face, base))
    if (symbols) tables.set('cmap', writeCharacters(base.characters, 'symbol'))
    else if (row.variant === 'fallback') {
      tables.set('cmap', writeCharacters(textSymbols(base.characters), 'unicode'))
      declareColours(tables)
    }
    switchOffFeatures(tables)
    setStyle(tables, style)
    const named = (family: string, line: Line) => {
      const copy = new Tables(tables)
      setNames(copy, { family, style, base: name })
      setLineHeight(copy, line)
      return { base: name, style, font: { version: base.version, tables: copy } }
    }
    const fonts = [named(row.name, lineOf(row, face.line))]
    if (row.eastAsian) fonts.push(named(nameForWord(row.name), inWord(face.line)))
    return fonts
  })
}

function lineOf({ variant, cellLine }: Row, [ascent, descent, gap]: Line): Line {
  if (variant === 'label') return [ascent, 0, 0]
  return cellLine ? [cellLine - descent, descent, 0] : [ascent, descent, gap]
}

function inWord([ascent, descent]: Line): Line {
  const more = ((wordHeight - 1) * (ascent + descent)) / 2
  return [ascent + more, descent + more, 0]
}

function openFace(name: string, openBase: OpenBase, symbols: Symbols | undefined) {
  const { file, number } = openBase(name)
  const { version, tables } = readFont(file, number)
  dropOtherTables(tables)
  const all = readCharacters(tables.need('cmap'))
  if (symbols) for (const table of ['GSUB', 'GPOS', 'GDEF']) tables.delete(table)
  return {
    version,
    tables,
    em: tables.need('head').readUInt16BE(18),
    metrics: readMetrics(tables),
    characters: symbols ? symbolGlyphs(symbols, all) : all,
  }
}

/** `symbols` are runs of characters by the code of their first; in a symbol font they begin at U+F000. */
function symbolGlyphs(symbols: Symbols, all: Characters): Characters {
  const glyphs: Characters = new Map([[0xf020, all.get(0x20) ?? 0]])
  for (const [first, run] of Object.entries(symbols)) {
    for (const [index, character] of [...run].entries()) {
      const glyph = all.get(character.codePointAt(0) ?? 0)
      if (glyph !== undefined) glyphs.set(0xf000 + Number.parseInt(first, 16) + index, glyph)
    }
  }
  return glyphs
}

/** Empty tables: fontconfig takes a symbol that exists as an emoji from a font with colours, whatever the order. */
function declareColours(tables: Tables): void {
  tables.set('COLR', Buffer.from('0000 0000 0000000e 0000000e 0000 0000'.replaceAll(' ', ''), 'hex'))
  tables.set('CPAL', Buffer.from('0000 0001 0001 0001 0000000e 0000 000000ff'.replaceAll(' ', ''), 'hex'))
}

/** Those that are not in colour unless a variation selector says so. */
const textSymbols = (all: Characters): Characters =>
  new Map(
    [...all].filter(
      ([code]) =>
        code < 0xffff && !/\p{Emoji_Presentation}|\p{Emoji_Component}/u.test(String.fromCodePoint(code)),
    ),
  )

function tallness({ xHeight }: Face, { em, tables, characters }: Base & { tables: Tables }): number {
  const [outlines, places] = [tables.get('glyf'), tables.get('loca')]
  const glyph = characters.get(0x78)
  if (!xHeight || !outlines || !places || glyph === undefined) return 1
  const long = tables.need('head').readInt16BE(50) === 1
  const at = long ? places.readUInt32BE(4 * glyph) : 2 * places.readUInt16BE(2 * glyph)
  const own = outlines.readInt16BE(at + 8) / em
  return Math.min(tallest, Math.max(1 / tallest, xHeight / own))
}
