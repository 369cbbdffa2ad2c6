import type { Deck } from './deck.ts'

// A theme names a font for Latin text and mostly none for East Asian and complex text, but a list of fonts by script.
// PowerPoint takes the one for the language of the text; LibreOffice does not read the list and takes any font that
// has the letters. So the fonts for the deck's language are put where LibreOffice looks for them.

const eastAsian: Readonly<Record<string, string>> = { ja: 'Jpan', ko: 'Hang', zh: 'Hans' }

const complex: Readonly<Record<string, string>> = {
  ar: 'Arab',
  fa: 'Arab',
  ps: 'Arab',
  ur: 'Arab',
  ug: 'Uigh',
  he: 'Hebr',
  yi: 'Hebr',
  syr: 'Syrc',
  dv: 'Thaa',
  hi: 'Deva',
  mr: 'Deva',
  ne: 'Deva',
  sa: 'Deva',
  kok: 'Deva',
  bn: 'Beng',
  as: 'Beng',
  pa: 'Guru',
  gu: 'Gujr',
  or: 'Orya',
  ta: 'Taml',
  te: 'Telu',
  kn: 'Knda',
  ml: 'Mlym',
  si: 'Sinh',
  th: 'Thai',
  lo: 'Laoo',
  km: 'Khmr',
  my: 'Mymr',
  bo: 'Tibt',
}
const traditionalChinese = /^zh-(?:TW|HK|MO|Hant)/i

function scriptOf(language: string, scripts: Readonly<Record<string, string>>): string | undefined {
  const [name = ''] = language.toLowerCase().split('-', 1)
  // A file may name a language as it likes, and every object has a `constructor`.
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return script === 'Hans' && traditionalChinese.test(language) ? 'Hant' : script
}

/** The parts that change. */
export function nameThemeFonts({ slides, themes }: Deck): Map<string, string> {
  const languages = [...slides.values()].flatMap((xml) => languagesIn(xml))
  const scripts = {
    ea: mostFrequent(languages.map((language) => scriptOf(language, eastAsian))),
    cs: mostFrequent(languages.map((language) => scriptOf(language, complex))),
  }
  const changed = new Map<string, string>()
  for (const [name, xml] of themes) {
    const named = fillIn(xml, scripts)
    if (named !== xml) changed.set(name, named)
  }
  if (changed.size === 0 || scripts.ea === undefined) return changed
  for (const [name, xml] of slides) {
    const kept = keepLatin(xml)
    if (kept !== xml) changed.set(name, kept)
  }
  return changed
}

const languagesIn = (xml: string): string[] =>
  Array.from(xml.matchAll(/ (?:lang|altLang)="([\w-]{2,20})"/g), ([, language = '']) => language)

function mostFrequent(scripts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const script of scripts) if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Headings and text have a list each. */
const fillIn = (theme: string, scripts: Readonly<Record<string, string | undefined>>): string =>
  theme.replaceAll(/<a:(major|minor)Font>(?:(?!<a:(?:major|minor)Font>)[\s\S])*?<\/a:\1Font>/g, (list) =>
    list.replaceAll(/<a:(ea|cs) typeface=""\s*\/>/g, (empty, slot: string) => {
      const font = new RegExp(`<a:font script="${scripts[slot]}" typeface="([^"<>]+)"`).exec(list)?.[1]
      return font === undefined ? empty : `<a:${slot} typeface="${font}"/>`
    }),
  )

/**
 * Text may ask for the East Asian font for its Latin letters too. Where such text is in no East Asian language, the
 * list has no font for it, and PowerPoint shows it in a Latin one.
 */
function keepLatin(slide: string): string {
  let asks = true
  return slide.replaceAll(
    /<a:(?:rPr|endParaRPr|defRPr)\b[^<>]*>|<a:latin typeface="\+(mj|mn)-ea"/g,
    (found, list?: string) => {
      if (list !== undefined) return asks ? found : `<a:latin typeface="+${list}-lt"`
      const languages = languagesIn(found)
      asks =
        languages.length === 0 || languages.some((language) => scriptOf(language, eastAsian) !== undefined)
      return found
    },
  )
}
