import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standIns } from '../fonts.ts'
import type { Plan } from './plan.ts'

// A document describes its fonts, so that a program without them can choose others: by name (Word's `altName`), or by
// class. LibreOffice reads none of it. So each document gets fontconfig rules of its own, which name a replacement after
// the wanted font: a font that is installed is still found first, and the report names what the document asks for.

export type FontClass = 'serif' | 'sans' | 'mono'

export interface DocumentFont {
  name: string
  /** The font that its program takes instead. */
  alternative?: string | undefined
  /** A family that is installed: what replaces it where there is no alternative. */
  family?: string | undefined
}

export const familyOf: Readonly<Record<FontClass, string>> = {
  serif: 'Liberation Serif',
  sans: 'Liberation Sans',
  mono: 'Liberation Mono',
}

/** Fonts that these replace by the rules of the system, which come before those of a document. */
const replacements = new Map([
  ...['arial', 'helvetica'].map((name) => [name, familyOf.sans] as const),
  ...['times new roman', 'times'].map((name) => [name, familyOf.serif] as const),
  ...['courier new', 'courier'].map((name) => [name, familyOf.mono] as const),
  ...standIns
    .filter(({ label }) => !label)
    // East Asian fonts have a variant for Word, whose lines are higher (fonts/make-stand-in.ts).
    .flatMap((row) =>
      row.for.map((name) => [name.toLowerCase(), row.eastAsian ? `${row.name} W` : row.name] as const),
    ),
])

const maxFonts = 500
/** What a program could take for more than a name is none. */
const plainName = /^[^\p{C}]{1,100}$/u

/** The rules as text; empty without any. */
export const fontRules = (fonts: readonly DocumentFont[]): string =>
  fonts
    // Reading rules takes time in each document's process: fonts that the rules of the system replace need none.
    .filter(({ name }) => plainName.test(name) && !replacements.has(name.toLowerCase()))
    .slice(0, maxFonts)
    .map(({ name, alternative = '', family }) => {
      const other = plainName.test(alternative)
        ? (replacements.get(alternative.toLowerCase()) ?? alternative)
        : ''
      return [other, family ?? '']
        .filter((each) => each !== '' && each !== name)
        .map((each) => ({ name, each }))
    })
    // The last rule inserts its family first.
    .flatMap((rules) => rules.toReversed())
    .map(({ name, each }) => rule(name, each))
    .join('')

const rule = (wanted: string, family: string) => `  <match target="pattern">
    <test name="family" qual="first" compare="eq"><string>${escapeXml(wanted)}</string></test>
    <edit name="family" mode="append" binding="same"><string>${escapeXml(family)}</string></edit>
  </match>
`

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Windows' classes of fonts (FF_ROMAN and so on): `fixed` is the pitch. */
export function classOfFamily(
  family: 'roman' | 'swiss' | 'modern' | undefined,
  isFixed: boolean,
): FontClass | undefined {
  if (isFixed || family === 'modern') return isFixed ? 'mono' : undefined
  return family === 'roman' ? 'serif' : family === 'swiss' ? 'sans' : undefined
}

/** PANOSE of a text font: ten bytes as hexadecimal digits; kind, serifs, weight, proportion … */
export function classOfPanose(panose: string | undefined): FontClass | undefined {
  const [kind, serifs, , proportion] = Array.from(panose?.matchAll(/[\da-f]{2}/gi) ?? [], ([byte]) =>
    Number.parseInt(byte, 16),
  )
  const latinText = 2
  const monospaced = 9
  const firstSans = 11
  if (kind !== latinText || serifs === undefined) return undefined
  if (proportion === monospaced) return 'mono'
  if (serifs < 2) return undefined
  return serifs >= firstSans ? 'sans' : 'serif'
}

const rulesName = 'fonts.conf'

/** The file of rules to be read, in the sandbox. */
export const fontRulesPath = ({ fontRules }: Plan, base: string | undefined): string | undefined =>
  fontRules === '' ? base : `/out/${rulesName}`

/** Writes the rules of one document, after those in `base`, into the folder that the sandbox sees as /out. */
export async function writeFontRules(
  { fontRules }: Plan,
  outFolder: string,
  base: string | undefined,
): Promise<void> {
  if (fontRules === '') return
  const path = join(outFolder, rulesName)
  const included = base === undefined ? '' : `  <include>${escapeXml(base)}</include>\n`
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${included}${fontRules}</fontconfig>
`
  await writeFile(path, text, { flag: 'wx' })
  await chmod(path, 0o444)
}
