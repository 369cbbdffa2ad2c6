import familyClasses from './family-classes.json' with { type: 'json' }
import { nameForWord, type Row } from './make-substitute.ts'

// The rules by which programs find the substitute fonts. Ours come before the system's: those would send a wanted font to
// the nearest free one. A name that a document asks for is replaced, so no later rule sees it.

/** For every program. The folder of the fonts lies beside the file, wherever that is. */
export const rulesOfAll = (rows: readonly Row[], cacheFolder: string) => document(general(rows, cacheFolder))

/** Additional rules for Word's documents; a program that has read the common rules can read them later. */
export const furtherRulesOfWord = (rows: readonly Row[]) => document(further(rows))

export const rulesOfWord = (rows: readonly Row[], cacheFolder: string) =>
  document([...general(rows, cacheFolder), ...further(rows)])

const general = (rows: readonly Row[], cacheFolder: string) => [
  '  <dir prefix="relative">fonts</dir>\n',
  `  <cachedir>${cacheFolder}</cachedir>\n`,
  ...rivals.filter((family) => rows.some((row) => row.for.includes(family))).map((family) => reject(family)),
  ...rows.flatMap((row) =>
    row.for.map((wanted) => replace(row.variant ? `${wanted} ${row.variant}` : wanted, row.name)),
  ),
  ...rows.filter((row) => row.variant === 'fallback').map((row) => beforeEmoji(row.name)),
  ...Object.entries(aliases).map(([wanted, family]) => replace(wanted, family)),
  ...forUnknown(rows).map((row) => afterAny(row.name)),
  '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n',
]

const further = (rows: readonly Row[]) => [
  ...rows.filter((row) => row.eastAsian).map((row) => replace(row.name, nameForWord(row.name))),
  ...forUnknown(rows).map((row) => remove(row.name)),
  ...familyClasses.flatMap(({ words, family }) => words.map((word) => afterNamesWith(word, family))),
]

// An unknown font whose kind the document does not say: PowerPoint takes Calibri for it, Word does not. The
// substitute has a distinct name, so that a report can say what it replaced.
const forUnknown = (rows: readonly Row[]) => rows.filter((row) => row.for.length === 0)

/** Fonts whose widths a font of the system has already, under a name that no rule of the system knows. */
const aliases = {
  Courier: 'Liberation Mono',
  // Windows has neither of these two, and takes Arial and Times New Roman. The system has both, with other heights.
  Helvetica: 'Liberation Sans',
  Times: 'Liberation Serif',
  'Lucida Grande': 'DejaVu Sans',
  'Lucida Sans Unicode': 'DejaVu Sans',
  'Lucida Sans': 'DejaVu Sans',
  'Microsoft Sans Serif': 'Liberation Sans',
  'MS Sans Serif': 'Liberation Sans',
  'Arial Unicode MS': 'Liberation Sans',
  // Browsers stretch parentheses and roots only with a font that has a table for formulas. The first is Chromium's default.
  'Latin Modern Math': 'DejaVu Math TeX Gyre',
  'STIX Two Math': 'DejaVu Math TeX Gyre',
}

/** LibreOffice takes these without asking fontconfig, where it has them. */
const rivals = ['Carlito', 'Caladea', 'Liberation Sans Narrow']

const document = (rules: readonly string[]) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${rules.join('')}</fontconfig>
`

const replace = (wanted: string, family: string) => `  <match target="pattern">
    <test name="family" compare="eq"><string>${wanted}</string></test>
    <edit name="family" mode="assign" binding="same"><string>${family}</string></edit>
  </match>
`

/** LibreOffice asks for this language for every symbol that exists as an emoji, such as ☑ and ✔. */
const beforeEmoji = (family: string) => `  <match target="pattern">
    <test name="lang" compare="eq"><string>und-zsye</string></test>
    <edit name="family" mode="prepend_first" binding="strong"><string>${family}</string></edit>
  </match>
`

/** After the wanted font, and before what the system would offer. */
const afterAny = (family: string) =>
  `  <match target="pattern"><edit name="family" mode="append" binding="weak"><string>${family}</string></edit></match>\n`

/**
 * Directly after the wanted font, where its name contains the word. Word replaces a font that is missing by one of its
 * class: Times New Roman, Arial or Courier New. LibreOffice does not know the class and takes a wide serif face for all
 * of them. The class follows from words in the family's name, or is listed in family-classes.json for families that are
 * common in documents. A later class wins: "Sans Serif" is sans, "Sans Mono" is mono.
 */
const afterNamesWith = (word: string, family: string) => `  <match target="pattern">
    <test name="family" qual="first" compare="contains"><string>${word}</string></test>
    <edit name="family" mode="append" binding="weak"><string>${family}</string></edit>
  </match>
`

const remove = (family: string) => `  <match target="pattern">
    <test name="family" compare="eq"><string>${family}</string></test>
    <edit name="family" mode="delete"/>
  </match>
`

const reject = (family: string) =>
  `  <selectfont><rejectfont><pattern><patelt name="family"><string>${family}</string></patelt></pattern></rejectfont></selectfont>\n`
