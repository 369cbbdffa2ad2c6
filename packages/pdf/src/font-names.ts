import { perFont } from './per-font.ts'
import type { Font } from './read/page.ts'

// The name of a font in word processors, and its substitute.

export interface FamilyName {
  name: string
  /** For the font table: used when `name` is not installed. */
  substitute: string
  kind: 'roman' | 'swiss' | 'modern'
}

/** PostScript spellings of families that have spaces in their names. */
const families: [RegExp, string][] = [
  [/^timesnewroman/i, 'Times New Roman'],
  [/^times/i, 'Times New Roman'],
  [/^arialnarrow/i, 'Arial Narrow'],
  [/^arialunicode/i, 'Arial Unicode MS'],
  [/^arialblack|^arial-black/i, 'Arial Black'],
  [/^arial/i, 'Arial'],
  [/^helvetica/i, 'Helvetica'],
  [/^couriernew/i, 'Courier New'],
  [/^courier/i, 'Courier New'],
  [/^liberationsansnarrow/i, 'Liberation Sans Narrow'],
  [/^liberationsans/i, 'Liberation Sans'],
  [/^liberationserif/i, 'Liberation Serif'],
  [/^liberationmono/i, 'Liberation Mono'],
  [/^dejavusansmono/i, 'DejaVu Sans Mono'],
  [/^dejavusans/i, 'DejaVu Sans'],
  [/^dejavuserif/i, 'DejaVu Serif'],
  [/^carlito/i, 'Carlito'],
  [/^caladea/i, 'Caladea'],
  [/^calibri/i, 'Calibri'],
  [/^cambria/i, 'Cambria'],
  [/^opensymbol/i, 'OpenSymbol'],
  [/^opensans/i, 'Open Sans'],
  [/^notosanscjkjp|^notosanscjk-?jp/i, 'Noto Sans CJK JP'],
  [/^notosanscjk/i, 'Noto Sans CJK SC'],
  [/^notoserifcjk/i, 'Noto Serif CJK SC'],
  [/^verdana/i, 'Verdana'],
  [/^georgia/i, 'Georgia'],
  [/^tahoma/i, 'Tahoma'],
  [/^trebuchet/i, 'Trebuchet MS'],
  [/^garamond/i, 'Garamond'],
  [/^palatino|^bookantiqua/i, 'Palatino Linotype'],
  [/^segoeui/i, 'Segoe UI'],
  [/^consolas/i, 'Consolas'],
  [/^comicsans/i, 'Comic Sans MS'],
  [/^centurygothic/i, 'Century Gothic'],
  [/^lucidaconsole/i, 'Lucida Console'],
  [/^franklingothic/i, 'Franklin Gothic Book'],
  [/^wingdings/i, 'Wingdings'],
  [/^symbol/i, 'Symbol'],
  [/^impact/i, 'Impact'],
]

const free =
  /^(Noto(Sans|Serif|Mono|Naskh|Kufi)|Roboto|Lato|Ubuntu|SourceSans|SourceSerif|SourceCode|Montserrat|Raleway|Merriweather|FiraSans|FiraMono|FiraCode|PTSans|PTSerif|Oswald|Inter(?![a-z])|LinuxLibertine|LinuxBiolinum|Gentium|Cantarell|Gelasio|EBGaramond|Poppins|Nunito|Amiri|Scheherazade)/

const twins: Record<string, string> = {
  Carlito: 'Calibri',
  Caladea: 'Cambria',
  'Liberation Sans': 'Arial',
  'Liberation Sans Narrow': 'Arial Narrow',
  'Liberation Serif': 'Times New Roman',
  'Liberation Mono': 'Courier New',
  'DejaVu Sans': 'Verdana',
  'DejaVu Sans Mono': 'Consolas',
  'DejaVu Serif': 'Georgia',
  Helvetica: 'Arial',
}

export const familyOf = perFont((font: Font): FamilyName => {
  const bare = font.name.replace(/[ _]/g, '')
  const kind = font.mono ? 'modern' : font.serif ? 'roman' : 'swiss'
  const general = font.mono ? 'Courier New' : font.serif ? 'Times New Roman' : 'Arial'
  for (const [pattern, name] of families)
    if (pattern.test(bare)) return { name, substitute: twins[name] ?? general, kind }
  // Free families that are widely installed keep their name, with spaces between its words.
  if (free.test(bare)) {
    const name = bare.replace(/[-,].*$/, '').replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{3})(?=[A-Z][a-z])/g, ' ')
    return { name, substitute: general, kind }
  }
  // Word processors would replace an unknown family unpredictably: use a common one instead.
  return { name: general, substitute: general, kind }
})
