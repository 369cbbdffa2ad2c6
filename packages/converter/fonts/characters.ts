// Which glyph a font shows for which character (table cmap).

/** Glyphs by character. */
export type Characters = Map<number, number>

/** From the widest table of Unicode that the font has. */
export function readCharacters(cmap: Buffer): Characters {
  const found: { at: number; format: number }[] = []
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const entry = 4 + 8 * index
    const [platform, encoding] = [cmap.readUInt16BE(entry), cmap.readUInt16BE(entry + 2)]
    const at = cmap.readUInt32BE(entry + 4)
    const format = cmap.readUInt16BE(at)
    const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))
    if (unicode && (format === 4 || format === 12)) found.push({ at, format })
  }
  const best = found.find(({ format }) => format === 12) ?? found[0]
  if (!best) throw new Error('The font has no table of Unicode characters.')
  return best.format === 12 ? readGroups(cmap, best.at) : readSegments(cmap, best.at)
}

function readGroups(cmap: Buffer, at: number): Characters {
  const characters: Characters = new Map()
  for (let index = 0; index < cmap.readUInt32BE(at + 12); index += 1) {
    const group = at + 16 + 12 * index
    const first = cmap.readUInt32BE(group)
    const glyph = cmap.readUInt32BE(group + 8)
    for (let code = first; code <= cmap.readUInt32BE(group + 4); code += 1)
      characters.set(code, glyph + code - first)
  }
  return characters
}

function readSegments(cmap: Buffer, at: number): Characters {
  const characters: Characters = new Map()
  const double = cmap.readUInt16BE(at + 6)
  for (let index = 0; index < double; index += 2) {
    const last = cmap.readUInt16BE(at + 14 + index)
    const first = cmap.readUInt16BE(at + 16 + double + index)
    const delta = cmap.readUInt16BE(at + 16 + 2 * double + index)
    const rangeAt = at + 16 + 3 * double + index
    const range = cmap.readUInt16BE(rangeAt)
    for (let code = first; code <= last && code !== 0xffff; code += 1) {
      const listed = range === 0 ? code : cmap.readUInt16BE(rangeAt + range + 2 * (code - first))
      const glyph = listed === 0 && range !== 0 ? 0 : (listed + delta) & 0xffff
      if (glyph !== 0) characters.set(code, glyph)
    }
  }
  return characters
}

/** `characters` are pairs of code and glyph within the basic plane. */
export function writeCharacters(characters: Characters, encoding: 'symbol' | 'unicode'): Buffer {
  const sorted = [...characters].sort(([a], [b]) => a - b)
  const count = sorted.length + 1
  const bytes = 16 + 8 * count
  const table = Buffer.alloc(12 + bytes)
  const power = Math.floor(Math.log2(count))
  const words = [0, 1, 3, encoding === 'symbol' ? 0 : 1, 0, 12, 4, bytes]
  words.push(0, 2 * count, 2 * 2 ** power, power, 2 * count - 2 * 2 ** power)
  const codes = [...sorted.map(([code]) => code), 0xffff]
  const deltas = [...sorted.map(([code, glyph]) => (glyph - code) & 0xffff), 1]
  words.push(...codes, 0, ...codes, ...deltas, ...codes.map(() => 0))
  for (const [index, word] of words.entries()) table.writeUInt16BE(word, 2 * index)
  return table
}
