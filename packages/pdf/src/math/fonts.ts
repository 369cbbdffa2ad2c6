import { perFont } from '../per-font.ts'
import type { Font } from '../read/page.ts'
import type { Look } from './tree.ts'

// What the name of a font says about mathematics.

const mathName =
  /math|^cm(mi|sy|ex|bsy|mib|mmib|brmi)\d|^ms[ab]m\d|^eu[fsr][mb]\d|^mt(mi|sy|ex|2)|^r?(new|n)?[tp]x(b?mi|b?sy|b?ex|sys|exs|mia|r$)|^kp-[a-z]*-m-|^katex_|^m[dn]symbol|^fdsymbol|^boondox|^(bdx|z)sfmi|^ebgb?mi|^esstix|^rsfs|^stmary|^esint|^bbm|^dsrom|^stix(?!general|two ?text)|^xits|^asana|^euex|^lasy|^symbol|^standardsym/i
const extensionName =
  /^cmex|mathextension$|mathextension\d|math-extension|-extension-|-m-ex-|^r?(new)?[tp]xb?exs?|^mtex|^euex/i
const symbolName = /^cmb?sy|mathsymbols|math-symbols|-symbol-\d|-m-sy-|^(new)?[tp]xb?sys?|^mtsy/i
const doubleName = /^msbm|^bbm|^dsrom|symbolb-|amsb|_ams-|mathdesignsymbol|black ?board|doublestruck/i
const frakturName = /^euf[mb]|fraktur/i
const scriptName = /^rsfs|^eus[mb]|script|calligraph|_caligraphic|math-cal\b/i
const uprightName =
  /-OT1-|^r[tp]xr|^cmr\d|^lmroman|_main-|_sansserif-|_typewriter-|-m-(regular|medium)|math-letters(-bold)?$|math([-,]?(regular|bold))?$/i

export const isMathFont = perFont((font: Font): boolean => mathName.test(font.name))
/** A font of large signs, in the order that TeX gave them. */
export const isExtensionFont = perFont((font: Font): boolean => extensionName.test(font.name))

/** A font of operators, in the order that TeX gave them. */
export const isOperatorFont = perFont((font: Font): boolean => symbolName.test(font.name))

/** The look of a letter. Letters of the symbol fonts are those for sets and operators. */
export function lookOf(font: Font, text: string): Look {
  const isLetter = /^\p{L}$/u.test(text)
  if (!isLetter) return font.bold ? 'bold' : 'roman'
  // Those of Unicode's alphabets for formulas carry their look in their code.
  if (/[\u{1d400}-\u{1d7ff}]/u.test(text)) return 'italic'
  if (doubleName.test(font.name)) return 'double'
  if (frakturName.test(font.name)) return 'fraktur'
  const isCapital = /^[A-Z]$/.test(text)
  if (isCapital && (symbolName.test(font.name) || scriptName.test(font.name))) return 'script'
  if (font.bold) return 'bold'
  if (uprightName.test(font.name)) return 'roman'
  return font.italic || isMathFont(font) ? 'italic' : 'roman'
}
