import { perFont } from '../../per-font.ts'
import type { Font } from '../page.ts'

// Classifies math fonts by name.

const mathName =
  /math|^cm(mi|sy|ex|bsy|mib|mmib|brmi)\d|^ms[ab]m\d|^eu[fsr][mb]\d|^mt(mi|sy|ex|2)|^r?(new|n)?[tp]x(b?mi|b?sy|b?ex|sys|exs|mia|r$)|^kp-[a-z]*-m-|^katex_|^m[dn]symbol|^fdsymbol|^boondox|^(bdx|z)sfmi|^ebgb?mi|^esstix|^rsfs|^stmary|^esint|^bbm|^dsrom|^stix(?!general|two ?text)|^xits|^asana|^euex|^lasy|^symbol|^standardsym/i
const extensionName =
  /^cmex|mathextension$|mathextension\d|math-extension|-extension-|-m-ex-|^r?(new)?[tp]xb?exs?|^mtex|^euex/i
const symbolName = /^cmb?sy|mathsymbols|math-symbols|-symbol-\d|-m-sy-|^(new)?[tp]xb?sys?|^mtsy/i

export const isMathFont = perFont((font: Font): boolean => mathName.test(font.name))
/** A math extension font in TeX's encoding. */
export const isExtensionFont = perFont((font: Font): boolean => extensionName.test(font.name))

/** A math symbol font in TeX's encoding. */
export const isOperatorFont = perFont((font: Font): boolean => symbolName.test(font.name))

/** The first symbol font of the American Mathematical Society. */
export const isAmsFont = perFont((font: Font): boolean => /^msam\d/i.test(font.name))
