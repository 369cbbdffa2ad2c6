import type { Tables } from './sfnt.ts'

// Gives glyphs another advance width. An outline is not taken apart: its glyph moves to the end of the font, and in
// its place comes a glyph that shows it scaled. Glyphs keep their numbers that way, so every other table stays true.

const words = 0x0001
const offsets = 0x0002
const oneScale = 0x0008
const more = 0x0020
const twoScales = 0x0040
const fourScales = 0x0080

// Beyond these an outline looks squeezed or stretched. What is left becomes space at both sides.
const narrowest = 0.8
const widest = 1.25

/** Left, bottom, right and top of an outline. */
export type Box = readonly [number, number, number, number]

/**
 * `widthOf(glyph, advance)` says the new width in the font's units. Outlines become `tallness` times as tall, and one
 * with a box, in the font's units too, fills it.
 */
export function setGlyphWidths(
  tables: Tables,
  widthOf: (glyph: number, advance: number) => number,
  tallness = 1,
  boxes: ReadonlyMap<number, Box> = new Map(),
): void {
  const metrics = readMetrics(tables)
  const count = metrics.length
  if (!tables.has('glyf')) {
    setMetrics(
      tables,
      metrics.map((each, glyph) => ({ ...each, advance: widthOf(glyph, each.advance) })),
    )
    return
  }
  if (2 * count > 0xffff) throw new Error(`A font of ${count} glyphs is too large to be changed.`)
  const outlines = readOutlines(tables, count)
  const shown = outlines.map((outline, glyph) => {
    const { advance, left } = metrics[glyph] as Metrics
    const width = Math.round(widthOf(glyph, advance))
    const box = boxes.get(glyph)
    if (box && outline.length > 0)
      return { outline: filling(box, outline, count + glyph), advance: width, left: Math.round(box[0]) }
    if (outline.length === 0 || (width === advance && tallness === 1))
      return {
        outline: outline.length === 0 ? outline : showing(outline, count + glyph, [1, 1], [0, 0]),
        advance: width,
        left,
      }
    const scale = advance === 0 ? 1 : Math.min(widest, Math.max(narrowest, width / advance))
    const shift = Math.round((width - advance * scale) / 2)
    return {
      outline: showing(outline, count + glyph, [scale, tallness], [shift, 0]),
      advance: width,
      left: Math.round(left * scale) + shift,
    }
  })
  const moved = outlines.map((outline) => withComponentsMoved(outline, count))
  setOutlines(tables, [...shown.map(({ outline }) => outline), ...moved])
  setMetrics(tables, [...shown, ...metrics])
  const maximum = Buffer.from(tables.need('maxp'))
  maximum.writeUInt16BE(2 * count, 4)
  // Points and contours of a composite, components and their depth.
  maximum.writeUInt16BE(Math.max(maximum.readUInt16BE(6), maximum.readUInt16BE(10)), 10)
  maximum.writeUInt16BE(Math.max(maximum.readUInt16BE(8), maximum.readUInt16BE(12)), 12)
  maximum.writeUInt16BE(Math.max(maximum.readUInt16BE(28), 1), 28)
  maximum.writeUInt16BE(maximum.readUInt16BE(30) + 1, 30)
  tables.set('maxp', maximum)
}

export interface Metrics {
  advance: number
  /** Where the outline begins. */
  left: number
}

export function readMetrics(tables: Tables): Metrics[] {
  const table = tables.need('hmtx')
  const full = tables.need('hhea').readUInt16BE(34)
  const count = tables.need('maxp').readUInt16BE(4)
  return Array.from({ length: count }, (_, glyph) => ({
    advance: table.readUInt16BE(4 * Math.min(glyph, full - 1)),
    left: table.readInt16BE(glyph < full ? 4 * glyph + 2 : 4 * full + 2 * (glyph - full)),
  }))
}

function setMetrics(tables: Tables, metrics: readonly Metrics[]): void {
  const table = Buffer.alloc(4 * metrics.length)
  for (const [glyph, { advance, left }] of metrics.entries()) {
    table.writeUInt16BE(Math.round(advance), 4 * glyph)
    table.writeInt16BE(left, 4 * glyph + 2)
  }
  const head = Buffer.from(tables.need('hhea'))
  head.writeUInt16BE(Math.round(Math.max(...metrics.map(({ advance }) => advance))), 10)
  head.writeUInt16BE(metrics.length, 34)
  tables.set('hmtx', table)
  tables.set('hhea', head)
}

function readOutlines(tables: Tables, count: number): Buffer[] {
  const [outlines, places] = [tables.need('glyf'), tables.need('loca')]
  const long = tables.need('head').readInt16BE(50) === 1
  const place = (index: number) =>
    long ? places.readUInt32BE(4 * index) : 2 * places.readUInt16BE(2 * index)
  return Array.from({ length: count }, (_, glyph) => outlines.subarray(place(glyph), place(glyph + 1)))
}

function setOutlines(tables: Tables, outlines: readonly Buffer[]): void {
  const places = Buffer.alloc(4 * (outlines.length + 1))
  const parts: Buffer[] = []
  let position = 0
  for (const [glyph, outline] of outlines.entries()) {
    const padding = -outline.length & 3
    parts.push(outline, Buffer.alloc(padding))
    position += outline.length + padding
    places.writeUInt32BE(position, 4 * (glyph + 1))
  }
  const head = Buffer.from(tables.need('head'))
  head.writeInt16BE(1, 50)
  tables.set('head', head)
  tables.set('loca', places)
  tables.set('glyf', Buffer.concat(parts))
}

function filling([left, bottom, right, top]: Box, outline: Buffer, glyph: number): Buffer {
  const [x, y] = [outline.readInt16BE(2), outline.readInt16BE(4)]
  const wide = (right - left) / (outline.readInt16BE(6) - x)
  const tall = (top - bottom) / (outline.readInt16BE(8) - y)
  return showing(outline, glyph, [wide, tall], [Math.round(left - x * wide), Math.round(bottom - y * tall)])
}

type Pair = readonly [number, number]

/** A glyph that shows another one: `wide` times as wide, `tall` times as tall, then moved. */
function showing(outline: Buffer, glyph: number, [wide, tall]: Pair, [right, up]: Pair): Buffer {
  const plain = wide === 1 && tall === 1
  const made = Buffer.alloc(plain ? 18 : 22)
  made.writeInt16BE(-1, 0)
  made.writeInt16BE(Math.floor(outline.readInt16BE(2) * wide) + right, 2)
  made.writeInt16BE(Math.floor(outline.readInt16BE(4) * tall) + up, 4)
  made.writeInt16BE(Math.ceil(outline.readInt16BE(6) * wide) + right, 6)
  made.writeInt16BE(Math.ceil(outline.readInt16BE(8) * tall) + up, 8)
  made.writeUInt16BE(words | offsets | (plain ? 0 : twoScales), 10)
  made.writeUInt16BE(glyph, 12)
  made.writeInt16BE(right, 14)
  made.writeInt16BE(up, 16)
  if (plain) return made
  made.writeInt16BE(Math.round(wide * 16384), 18)
  made.writeInt16BE(Math.round(tall * 16384), 20)
  return made
}

function withComponentsMoved(outline: Buffer, by: number): Buffer {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return outline
  const moved = Buffer.from(outline)
  let at = 10
  for (;;) {
    const flags = moved.readUInt16BE(at)
    moved.writeUInt16BE(moved.readUInt16BE(at + 2) + by, at + 2)
    if ((flags & more) === 0) return moved
    at += 4 + (flags & words ? 4 : 2)
    if (flags & oneScale) at += 2
    else if (flags & twoScales) at += 4
    else if (flags & fourScales) at += 8
  }
}
