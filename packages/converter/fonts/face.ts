import { createHash } from 'node:crypto'
import type { Tables } from './sfnt.ts'

// Properties of a face: its names, its line height and its default features.

/** In em. */
export type Line = readonly [ascent: number, descent: number, gap: number]

/** The same for all programs, in the three places where they look. */
export function setLineHeight(tables: Tables, line: Line): void {
  const em = tables.need('head').readUInt16BE(18)
  const [up = 0, down = 0, between = 0] = line.map((value) => Math.round(value * em))
  const horizontal = Buffer.from(tables.need('hhea'))
  horizontal.writeInt16BE(up, 4)
  horizontal.writeInt16BE(-down, 6)
  horizontal.writeInt16BE(between, 8)
  tables.set('hhea', horizontal)
  const os2 = Buffer.from(tables.need('OS/2'))
  os2.writeInt16BE(up, 68)
  os2.writeInt16BE(-down, 70)
  os2.writeInt16BE(between, 72)
  os2.writeUInt16BE(up, 74)
  os2.writeUInt16BE(down, 76)
  tables.set('OS/2', os2)
}

const windows = [3, 1, 0x409]

interface Name {
  id: number
  text: string
}

/** The copyright and the licence of the base stay; its names, which may be reserved, go. */
export function setNames(
  tables: Tables,
  { family, style, base }: { family: string; style: string; base: string },
): void {
  const kept = [0, 13, 14].flatMap((id): Name[] => {
    const text = readName(tables.need('name'), id)
    return text === undefined ? [] : [{ id, text }]
  })
  const full = `${family} ${style}`
  const post = full.replaceAll(' ', '')
  const version = createHash('sha256').update(full).digest('hex').slice(0, 8)
  const own = [family, style, `${post} ${version}`, full, 'Version 1.0', post]
  const names = [
    ...kept,
    ...own.map((text, index): Name => ({ id: index + 1, text })),
    { id: 10, text: `Made out of ${base} with other widths.` },
  ].sort((a, b) => a.id - b.id)
  const header = Buffer.alloc(6 + 12 * names.length)
  header.writeUInt16BE(names.length, 2)
  header.writeUInt16BE(header.length, 4)
  const texts: Buffer[] = []
  let offset = 0
  for (const [index, { id, text }] of names.entries()) {
    const content = Buffer.from(text, 'utf16le').swap16()
    const fields = [...windows, id, content.length, offset]
    for (const [at, field] of fields.entries()) header.writeUInt16BE(field, 6 + 12 * index + 2 * at)
    texts.push(content)
    offset += content.length
  }
  tables.set('name', Buffer.concat([header, ...texts]))
  // Names of glyphs are no use to anybody here.
  const glyphs = Buffer.alloc(32)
  tables.need('post').copy(glyphs, 0, 0, 32)
  glyphs.writeUInt32BE(0x00030000, 0)
  tables.set('post', glyphs)
}

function readName(table: Buffer, wanted: number): string | undefined {
  const texts = table.readUInt16BE(4)
  for (let index = 0; index < table.readUInt16BE(2); index += 1) {
    const at = 6 + 12 * index
    if (table.readUInt16BE(at) !== windows[0] || table.readUInt16BE(at + 6) !== wanted) continue
    const start = texts + table.readUInt16BE(at + 10)
    return Buffer.from(table.subarray(start, start + table.readUInt16BE(at + 8)))
      .swap16()
      .toString('utf16le')
  }
  return undefined
}

const bold = 0x20
const italic = 0x01
const regular = 0x40

/** The four faces of a family, as programs distinguish them; another weight is another family. */
export function setStyle(tables: Tables, style: string): void {
  const isBold = style.startsWith('Bold')
  const isItalic = style.endsWith('Italic')
  const os2 = Buffer.from(tables.need('OS/2'))
  const rest = os2.readUInt16BE(62) & ~(bold | italic | regular)
  os2.writeUInt16BE(
    rest | (isBold ? bold : 0) | (isItalic ? italic : 0) | (isBold || isItalic ? 0 : regular),
    62,
  )
  os2.writeUInt16BE(isBold ? 700 : 400, 4)
  // Any program may embed it.
  os2.writeUInt16BE(0, 8)
  tables.set('OS/2', os2)
  const head = Buffer.from(tables.need('head'))
  head.writeUInt16BE((isBold ? 1 : 0) | (isItalic ? 2 : 0), 44)
  tables.set('head', head)
}

const needed = [
  'cmap',
  'head',
  'hhea',
  'hmtx',
  'maxp',
  'name',
  'OS/2',
  'post',
  'glyf',
  'loca',
  'cvt ',
  'fpgm',
  'prep',
  'CFF ',
  'GDEF',
  'GPOS',
  'GSUB',
  'BASE',
  'VORG',
  'vhea',
  'vmtx',
]

/** Tables that would contradict the new widths, or that only other programs read. */
export function dropOtherTables(tables: Tables): void {
  if (tables.has('fvar')) throw new Error('A variable font cannot be the base.')
  for (const name of tables.keys()) if (!needed.includes(name)) tables.delete(name)
}

/**
 * Word joins no letters and kerns none unless the document asks for it, and then by the original's own table, which is not
 * known: so the base's must not either.
 */
export function switchOffFeatures(tables: Tables): void {
  emptyFeatures(tables, 'GSUB', ['liga', 'clig', 'calt'])
  emptyFeatures(tables, 'GPOS', ['kern', 'cpsp'])
}

function emptyFeatures(tables: Tables, name: string, tags: readonly string[]): void {
  if (!tables.has(name)) return
  const table = Buffer.from(tables.need(name))
  const list = table.readUInt16BE(6)
  for (let index = 0; index < table.readUInt16BE(list); index += 1) {
    const record = list + 2 + 6 * index
    if (!tags.includes(table.toString('latin1', record, record + 4))) continue
    table.writeUInt16BE(0, list + table.readUInt16BE(record + 4) + 2)
  }
  tables.set(name, table)
}
