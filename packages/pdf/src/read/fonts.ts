import { tailOfLetters, usualAscent } from '../typography.ts'
import type { Font } from './page.ts'
import type { Pdfium } from './pdfium.ts'

/** Font descriptor flags of the PDF specification. */
const flagFixedPitch = 1
const flagSerif = 2
const flagItalic = 1 << 6
const flagForceBold = 1 << 18

const boldName =
  /bold|black|heavy|semibold|demi(?!an)|[-,_]bd\b|^cmbx|^sfbx|^nimbus.*medi|^utmb|-medi\b|^kp-.*medium/i
/** The weight, which some programs derive wrongly from the stem width, does not contradict these names. */
const regularName = /regular|[-,](roman|book|light|thin|text)\b|[-,](italic|oblique)$/i
const italicName = /ital|obli|slant|kursiv|^cmti|^cmsl|^sfti|[-,]it\b|-regu?ital/i
const monoName =
  /courier|mono|consol|typewriter|^cmtt|^sftt|lucidacon|menlo|fixed|andale|^hack\b|(?:source|fira) ?code|iosevka|^lmtt|letter ?gothic|^ocr-?[ab]\b/i
const sansName =
  /arial|helvetica|sans|verdana|tahoma|calibri|carlito|univers|frutiger|futura|gothic|segoe|roboto|trebuchet|^cmss|myriad|lato|inter\b|optima|gill/i
const serifName =
  /times|serif|roman|georgia|garamond|cambria|caladea|minion|palatino|book|cent|^cm[rbtcm]|^sf[rbt]|mincho|song|ming|caslon|didot|bodoni|charter/i

/** Removes the prefix of a subset: six letters and a plus sign. */
export function withoutSubsetPrefix(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '')
}

/** Weights from 1 to 1000 as in CSS: 400 is regular, 600 semi-bold, 700 bold. Larger values are invalid. */
const boldWeight = 650
const heaviest = 1000
/** Italics have an angle of about twelve degrees; larger values are invalid. */
const steepest = 30

export function describeFont(
  rawName: string,
  flags: number,
  weight: number,
  angle: number,
): Omit<Font, 'ascent' | 'descent'> {
  const name = withoutSubsetPrefix(rawName) || 'Unknown'
  const mono =
    monoName.test(name) || ((flags & flagFixedPitch) !== 0 && !sansName.test(name) && !serifName.test(name))
  const sans = sansName.test(name) && !/sansserif$/i.test(name)
  return {
    name,
    bold:
      boldName.test(name) ||
      (flags & flagForceBold) !== 0 ||
      (weight >= boldWeight && weight <= heaviest && !regularName.test(name)),
    italic:
      italicName.test(name) || (flags & flagItalic) !== 0 || (angle !== 0 && Math.abs(angle) <= steepest),
    serif: !sans && !mono && (serifName.test(name) || (flags & flagSerif) !== 0),
    mono,
  }
}

/** An ascent outside this range is an error of the program that made the font, in ems. */
const lowestAscent = 0.3
const highestAscent = 2

/** Reads each font once; text objects share fonts by handle. */
export function fontReader(pdfium: Pdfium): (font: number) => Font {
  const { call, scratch } = pdfium
  const byHandle = new Map<number, Font>()
  return (handle) => {
    const known = byHandle.get(handle)
    if (known) return known
    const name = pdfium.narrow((buffer, size) => call.FPDFFont_GetBaseFontName(handle, buffer, size))
    const angle = call.FPDFFont_GetItalicAngle(handle, scratch) ? pdfium.int(scratch) : 0
    const ascent = call.FPDFFont_GetAscent(handle, 1, scratch) ? pdfium.float(scratch) : 0
    const descent = call.FPDFFont_GetDescent(handle, 1, scratch) ? pdfium.float(scratch) : 0
    const font: Font = {
      ...describeFont(name, call.FPDFFont_GetFlags(handle), call.FPDFFont_GetWeight(handle), angle),
      ...(name === '' ? { nameless: true } : {}),
      ascent: ascent > lowestAscent && ascent < highestAscent ? ascent : usualAscent,
      descent: descent < 0 && descent > -1 ? -descent : tailOfLetters,
    }
    byHandle.set(handle, font)
    return font
  }
}
