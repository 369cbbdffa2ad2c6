import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { substituteFonts } from '../fonts.ts'
import type { Plan } from './plan.ts'

// A document describes its fonts, so that a program without them can choose substitutes: by name (Word's `altName`) or
// by class. LibreOffice ignores this. So each document gets its own fontconfig rules, which add a substitute after the
// requested font: an installed font still takes precedence, and the report names the requested font.

export type FontClass = 'serif' | 'sans' | 'mono'

export interface DocumentFont {
  name: string
  /** The substitute that the document names. */
  alternative?: string | undefined
  /** An installed family that replaces it if there is no alternative. */
  family?: string | undefined
}

export const familyOf: Readonly<Record<FontClass, string>> = {
  serif: 'Liberation Serif',
  sans: 'Liberation Sans',
  mono: 'Liberation Mono',
}

/** Fonts that the system rules replace, which are applied before those of a document. */
const replacements = new Map([
  ...['arial', 'helvetica'].map((name) => [name, familyOf.sans] as const),
  ...['times new roman', 'times'].map((name) => [name, familyOf.serif] as const),
  ...['courier new', 'courier'].map((name) => [name, familyOf.mono] as const),
  ...substituteFonts
    .filter(({ variant }) => !variant)
    // East Asian fonts have a variant for Word with a larger line height (fonts/make-substitute.ts).
    .flatMap((row) =>
      row.for.map((name) => [name.toLowerCase(), row.eastAsian ? `${row.name} W` : row.name] as const),
    ),
])

const maxFonts = 500
/** Rejects names with control characters, which a program could interpret as more than a name. */
const plainName = /^[^\p{C}]{1,100}$/u

/** The rules as XML; empty if there are none. */
export const fontRules = (fonts: readonly DocumentFont[]): string =>
  fonts
    // Parsing rules takes time in each document's process: fonts that the system rules replace need none.
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

/** Windows font family classes (FF_ROMAN and so on): `fixed` is the pitch. */
export function classOfFamily(
  family: 'roman' | 'swiss' | 'modern' | undefined,
  isFixed: boolean,
): FontClass | undefined {
  if (isFixed || family === 'modern') return isFixed ? 'mono' : undefined
  return family === 'roman' ? 'serif' : family === 'swiss' ? 'sans' : undefined
}

/** PANOSE classification of a text font: ten bytes as hexadecimal digits; kind, serif style, weight, proportion … */
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

/** Path of the rules file in the sandbox. */
export const fontRulesPath = ({ fontRules }: Plan, base: string | undefined): string | undefined =>
  fontRules === '' ? base : `/out/${rulesName}`

/** Writes the rules of one document, after those in `base`, into the folder that is /out in the sandbox. */
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
