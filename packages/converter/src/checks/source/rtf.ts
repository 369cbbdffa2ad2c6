import type { Content } from './content.ts'

// The text of an RTF file: everything outside of control words and of groups that are not displayed.

const notShown = new Set(
  (
    'fonttbl colortbl stylesheet info pict object listtable listoverridetable rsidtbl generator fldinst filetbl revtbl ' +
    'header headerl headerr headerf footer footerl footerr footerf footnote annotation xe tc themedata datastore latentstyles'
  ).split(' '),
)

// A control word with its number, a character by its code, a control symbol, a brace, or plain text.
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/gi

export function readRtf(bytes: Buffer): Content {
  const hidden: boolean[] = [false]
  let text = ''
  let pictures = false
  let mayBeHidden = false
  for (const [, word, number, , symbol, brace, plain] of bytes.toString('latin1').matchAll(token)) {
    const isHidden = hidden.at(-1) ?? false
    if (brace === '{') hidden.push(isHidden)
    else if (brace === '}') hidden.pop()
    else if (symbol === '*' || (word && notShown.has(word))) {
      hidden[hidden.length - 1] = true
      pictures ||= word === 'pict'
    } else if ((word === 'v' || word === 'deleted') && number !== '0') mayBeHidden = true
    else if (word === 'u' && number !== undefined && !isHidden)
      text += String.fromCharCode(Number(number) & 0xffff)
    else if (word === 'par' || word === 'cell' || word === 'line' || word === 'tab') text += ' '
    else if (plain && !isHidden) text += plain.replaceAll(/[\r\n]+/g, '')
  }
  return { text, pictures, mayBeHidden }
}
