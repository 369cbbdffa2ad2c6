// What the characters of Wingdings show, in Unicode. Word and PowerPoint write arrows, check marks and smileys in these
// fonts, with codes that are letters in any other font. The codes are in the private area (U+F0xx) or one byte.

const wingdings = runs({
  21: '🖉✂✁👓🔔📖🕯☎✆✉🖃📪📫📬📭📁📂📄📄🗐🗄⏳⌨🖰🖲💻🖴💾💾✇✍✎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄✝✞✝✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●❍■□❐❑❒⬧⧫◆❖⬥⌧⍓⌘🏵🏶❝❞',
  80: '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
  '9e': '·•▪○○○◉◎○▪□▲✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛',
  d5: '⌫⌦',
  d8: '➢',
  df: '←→↑↓↖↗↙↘⬅➔⬆⬇⬉⬈⬋⬊⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂▭▫✗✔☒☑',
})
const wingdings2 = runs({
  '4f': '✗✓☒☑☒☒',
  97: '●',
  a3: '□',
})
const wingdings3 = runs({ 21: '⭠⭢⭡⭣', 70: '▲▼△▽◀▶◁▷' })
const webdings = runs({ 33: '◀▶▲▼', 61: '✔', 63: '□', 67: '■', 72: '✗' })

function runs(from: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(from).flatMap(([start, text]) =>
      Array.from(text, (character, index) => [Number.parseInt(start, 16) + index, character] as const),
    ),
  )
}

const fonts: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  wingdings,
  'wingdings 2': wingdings2,
  'wingdings 3': wingdings3,
  webdings,
}

export const isSymbolFont = (font: string): boolean => font.toLowerCase() in fonts

/** Characters without an equivalent stay. */
export function shownSymbols(font: string, text: string): string {
  const characters = fonts[font.toLowerCase()]
  if (!characters) return text
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return characters.get(code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code) ?? character
  }).join('')
}

/** Text whose font is not known. Its characters of the private area are most often of Wingdings. */
export const withoutPrivateUse = (text: string): string =>
  text.replaceAll(/[\uf021-\uf0ff]/g, (character) => shownSymbols('Wingdings', character))
