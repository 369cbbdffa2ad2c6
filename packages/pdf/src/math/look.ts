import { isMathFont, isOperatorFont } from '../read/math-fonts/names.ts'
import type { Font } from '../read/page.ts'
import type { Look } from './tree.ts'

const doubleName = /^msbm|^bbm|^dsrom|symbolb-|amsb|_ams-|mathdesignsymbol|black ?board|doublestruck/i
const frakturName = /^euf[mb]|fraktur/i
const scriptName = /^rsfs|^eus[mb]|script|calligraph|_caligraphic|math-cal\b/i
const uprightName =
  /-OT1-|^r[tp]xr|^cmr\d|^lmroman|_main-|_sansserif-|_typewriter-|-m-(regular|medium)|math-letters(-bold)?$|math([-,]?(regular|bold))?$/i

/** The look of a letter. Letters of symbol fonts denote sets and operators. */
export function lookOf(font: Font, text: string): Look {
  const isLetter = /^\p{L}$/u.test(text)
  if (!isLetter) return font.bold ? 'bold' : 'roman'
  // Unicode's mathematical alphanumeric symbols include their look.
  if (/[\u{1d400}-\u{1d7ff}]/u.test(text)) return 'italic'
  if (doubleName.test(font.name)) return 'double'
  if (frakturName.test(font.name)) return 'fraktur'
  const isCapital = /^[A-Z]$/.test(text)
  if (isCapital && (isOperatorFont(font) || scriptName.test(font.name))) return 'script'
  if (font.bold) return 'bold'
  if (uprightName.test(font.name)) return 'roman'
  return font.italic || isMathFont(font) ? 'italic' : 'roman'
}
