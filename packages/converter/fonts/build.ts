import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { furtherRulesOfWord, rulesOfAll, rulesOfWord } from './fontconfig.ts'
import { makeSubstitute, type Row, type Symbols } from './make-substitute.ts'
import { type Font, writeFonts } from './sfnt.ts'
import type { Face } from './target-widths.ts'

// Builds the fonts that replace Microsoft's: `node build.ts DIRECTORY`, into `build` by default. Set-up runs it. Bases
// are fonts of the system and of packages; a font whose base is missing is skipped, with a message on stderr.

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'build'))
const readTable = (name: string) => JSON.parse(readFileSync(join(here, name), 'utf8'))

const rows: readonly Row[] = readTable('substitutes.json')
const { fonts: metrics }: { fonts: Record<string, Record<string, Face>> } = readTable('metrics.json')
const symbols: Record<string, Symbols> = readTable('symbols.json')

/** Later widths of a character replace earlier ones. */
const facesOf = (name: string): Record<string, Face> =>
  Object.fromEntries(
    Object.entries(metrics[name] ?? {}).map(([style, face]) => {
      const like = face.like === undefined ? '' : metrics[face.like]?.[style]?.widths
      return [style, like ? { ...face, widths: `${like} ${face.widths ?? ''}` } : face]
    }),
  )

const bases = new Map(
  ['/usr/share/fonts/**/*.{ttf,otf,ttc}', join(here, '../../../node_modules/@expo-google-fonts/*/*/*.ttf')]
    .flatMap((pattern) => globSync(pattern))
    .map((path) => [basename(path), path]),
)
const opened = new Map<string, Buffer>()

/** "Name.ttc 2" is the third font of a collection. */
function openBase(name: string) {
  const [fileName = '', number = '0'] = name.split(' ')
  const path = bases.get(fileName)
  if (!path) throw new Error(`${fileName} is not installed`)
  const file = opened.get(path) ?? readFileSync(path)
  opened.set(path, file)
  return { file, number: Number(number) }
}

const made: Row[] = []
const files = new Map<string, Font[]>()
for (const row of rows) {
  try {
    for (const { base, style, font } of makeSubstitute(
      row,
      facesOf(row.metrics),
      row.symbols === undefined ? undefined : symbols[row.symbols],
      openBase,
    )) {
      // Fonts of one collection share its outlines.
      const [collection = ''] = base.split(' ')
      const file = collection.endsWith('.ttc') ? `Kiln ${collection.slice(0, -4)}` : `${row.name} ${style}`
      files.set(file, [...(files.get(file) ?? []), font])
    }
    made.push(row)
  } catch (error) {
    console.error(`No substitute for ${row.for[0]}: ${error instanceof Error ? error.message : error}.`)
  }
}
for (const part of ['fonts', 'cache']) mkdirSync(join(folder, part), { recursive: true })
for (const [name, fonts] of files) {
  const ending = fonts.length > 1 ? 'ttc' : fonts[0]?.tables.has('glyf') ? 'ttf' : 'otf'
  writeFileSync(join(folder, 'fonts', `${name.replaceAll(' ', '-')}.${ending}`), writeFonts(fonts))
}
const cache = join(folder, 'cache')
writeFileSync(join(folder, 'fonts.conf'), rulesOfAll(made, cache))
writeFileSync(join(folder, 'word.conf'), rulesOfWord(made, cache))
writeFileSync(join(folder, 'word-rules.conf'), furtherRulesOfWord(made))
