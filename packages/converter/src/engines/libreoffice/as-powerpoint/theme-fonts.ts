import type { XmlEditor, XmlNode } from '../../../package/edit-xml.ts'
import { childOf } from '../../../package/edit-xml.ts'
import type { Deck } from './deck.ts'

// A theme names a font for Latin text and usually none for East Asian and complex scripts, but a list of fonts by
// script. PowerPoint uses the entry for the language of the text; LibreOffice ignores the list and uses any font that
// has the characters. So the fonts for the deck's language are written where LibreOffice reads them.

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
  // A file may use any language name, and every object has a `constructor`.
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return script === 'Hans' && traditionalChinese.test(language) ? 'Hant' : script
}

export interface Scripts {
  ea: string | undefined
  cs: string | undefined
}

/** The scripts of most of the deck's text. */
export function readScripts({ slides }: Deck): Scripts {
  const languages = [...slides.values()].flatMap((xml) =>
    Array.from(xml.matchAll(/ (?:lang|altLang)="([\w-]{2,20})"/g), ([, language = '']) => language),
  )
  return {
    ea: mostFrequent(languages.map((language) => scriptOf(language, eastAsian))),
    cs: mostFrequent(languages.map((language) => scriptOf(language, complex))),
  }
}

function mostFrequent(scripts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const script of scripts) if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Headings and body text have separate lists. */
export const nameThemeFonts =
  (scripts: Scripts) =>
  (node: XmlNode, editor: XmlEditor): void => {
    if (node.name !== 'a:majorFont' && node.name !== 'a:minorFont') return
    for (const slot of ['ea', 'cs'] as const) {
      const own = childOf(node, `a:${slot}`)
      const listed = node.children.find(
        ({ name, attributes }) => name === 'a:font' && attributes.script === scripts[slot],
      )
      const family = listed?.attributes.typeface
      if (own?.attributes.typeface === '' && family) editor.setAttributes(own, { typeface: family })
    }
  }
