import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCharacters } from '../../../../../fonts/characters.ts'
import { readMetrics } from '../../../../../fonts/glyph-widths.ts'
import { readFont } from '../../../../../fonts/sfnt.ts'
import { fontFolder, substituteFonts } from '../../../fonts.ts'

// Advance widths of the fonts that LibreOffice will use, read from their files.

export interface Face {
  family: string
  isBold: boolean
  isItalic: boolean
}

/** Advance width in ems by character; undefined for an unknown font. */
export type Advances = ReadonlyMap<number, number>

const systemFonts: Readonly<Record<string, string>> = {
  arial: 'LiberationSans',
  helvetica: 'LiberationSans',
  'liberation sans': 'LiberationSans',
  'times new roman': 'LiberationSerif',
  times: 'LiberationSerif',
  'liberation serif': 'LiberationSerif',
  'courier new': 'LiberationMono',
  courier: 'LiberationMono',
  'liberation mono': 'LiberationMono',
}
const systemFolders = ['liberation2', 'liberation'].map((name) => `/usr/share/fonts/truetype/${name}`)

const substitutes = new Map(
  substituteFonts
    .filter(({ variant, symbols }) => !variant && symbols === undefined)
    .flatMap(({ name, for: families }) =>
      families.map((family) => [family.toLowerCase(), name.replaceAll(' ', '-')] as const),
    ),
)

const known = new Map<string, Advances | undefined>()

export function advancesOf({ family, isBold, isItalic }: Face): Advances | undefined {
  const style = [isBold && 'Bold', isItalic && 'Italic'].filter(Boolean)
  const name = family.toLowerCase()
  const substitute = substitutes.get(name)
  const system = Object.hasOwn(systemFonts, name) ? systemFonts[name] : undefined
  const files =
    substitute === undefined
      ? systemFolders.map((folder) => join(folder, `${system}-${style.join('') || 'Regular'}.ttf`))
      : ['ttf', 'otf', 'ttc'].map((ending) =>
          join(fontFolder, 'fonts', `${substitute}-${style.join('-') || 'Regular'}.${ending}`),
        )
  if (substitute === undefined && system === undefined) return undefined
  const key = files.join()
  if (!known.has(key)) known.set(key, read(files.find((file) => existsSync(file))))
  return known.get(key)
}

function read(path: string | undefined): Advances | undefined {
  if (path === undefined) return undefined
  const { tables } = readFont(readFileSync(path))
  const em = tables.need('head').readUInt16BE(18)
  const metrics = readMetrics(tables)
  return new Map(
    Array.from(readCharacters(tables.need('cmap')), ([character, glyph]) => [
      character,
      (metrics[glyph]?.advance ?? 0) / em,
    ]),
  )
}
