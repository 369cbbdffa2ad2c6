import { isCjk } from '../lines/scripts.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { isSmallCaps } from './heading-levels.ts'
import { longest, unnumbered } from './heading-marks.ts'
import { readNumber } from './numbers.ts'

// What makes a line a heading by its look: it is larger than the text, or it is short, stands apart, and is bold or
// numbered.

export interface Surroundings {
  following: readonly Paragraph[]
  previous: Paragraph | undefined
  body: BodyLook
  /** Bookmarks or the contents name the headings. */
  outlined: boolean
  /** It looks as lines do that head text elsewhere in the document. */
  alike: boolean
}

const hasLetters = /\p{L}{2}/u
const address = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+\.\S+$/i
/** What names a figure or a table belongs to it. */
const caption =
  /^(?:table|tab\.|figure|fig\.|chart|graph|exhibit|plate|scheme|listing|algorithm|abbildung|abb\.|tabelle|tableau|tabla|cuadro|figura|grafico|gráfico|tabela|ilustración|ilustrasi|gambar|afbeelding|tabel|obrázek|tabulka|obrázok|tabuľka|rysunek|ábra|táblázat|slika|tablica|bild|tabell|figur|kuva|taulukko|şekil|tablo|hình|bảng|εικόνα|σχήμα|πίνακας|рис\.|рисунок|таблица|таблиця|그림|표|图|圖|表|図)\s*[\dIVX]+(?:[.\-–]\w+)*(?:[.:)\s|–—-]|$)/iu
/** The number of a section, or the word that stands for one, before a capital. */
const sectionNumber =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}[.)]?|[IVX]{1,6}[.)]|[A-Z](?:\.\d{1,2})+\.?|(?:chapter|section|part|appendix|annex|kapitel|abschnitt|anhang|chapitre|annexe|capítulo|capitolo)\s+\w{1,4}[.:]?)[\s\t]+(?=[\p{Lu}\p{Lo}“"«(])/iu

/** The number of a section of a section. */
const deepNumber = /^\d{1,2}(?:\.\d{1,2}){2,4}\.?(?:\s|$)/

/** A heading keeps this distance from the line above, in ems. */
const apart = 0.35
/** One that nothing but its place shows keeps more. */
const farApart = 0.6
/** What ends with a full stop is a heading only where it is set large: by a quarter, and in fourteen points or more. */
const largeRatio = 1.25
const largePoints = 14
/** Sizes that stand out from the text: 13 points over 12 in bold or in a colour, 14 over 12 without. */
export const biggerBold = 1.08
const bigger = 1.16
/** The lead of an article is larger than its text too, but not by half. */
const titleRatio = 1.5
/** Smaller than the text by more than rounding, and than the text under it. */
const smaller = 0.93
const smallerThanNext = 0.97
/** In lines: of larger headings, and of any. */
const mostLinesOfLarge = 3
const mostLines = 4
/** In characters. A line of text at the usual measure has some 60 to 90; what is longer reads as a sentence. */
const shortLine = 60
const fullLine = 90
const longestBold = 130
const longestLarge = 160
/** Text under a heading is more than a few words. */
const leastUnder = 40
/** Grey has channels that are alike; a colour that somebody chose differs in one by this much of 255. */
const leastVivid = 40

export function isHeading(p: Paragraph, around: Surroundings): boolean {
  const numbered = isNumbered(p)
  if (cannotHead(p, around) || (hasTabs(p) && !(numbered && /^\S+\t[^\t]*$/.test(p.text)))) return false
  const { body, following } = around
  // Small capitals are as large as their capitals.
  const size = isSmallCaps(p) ? Math.max(...p.runs.map((r) => r.style.size)) : p.size
  const ratio = size / body.size
  const bold = isBold(p)
  const standsOut = bold && !body.bold
  // A full stop ends a sentence, not a heading, unless everything else says otherwise.
  const stopped = /[^.][.!。]$/u.test(p.text)
  if (stopped && !(standsOut && (numbered || (ratio >= largeRatio && p.size >= largePoints)))) return false
  const sentence = /[.!?。]$/.test(p.text) && p.text.length > shortLine
  // Text may be a little larger than what most of the page is set in; what leads on or is an item is no heading then.
  const leadsOn = !bold && ratio < largeRatio && (isCounted(p, around) || /:$/.test(p.text))
  if (
    ratio >= (bold || isColoured(p, body) ? biggerBold : bigger) &&
    (!sentence || standsOut) &&
    !leadsOn &&
    p.lines <= mostLinesOfLarge
  )
    return (
      !body.common(p) &&
      !body.running(p) &&
      !(p.align === 'justify' && p.lines > 1 && !standsOut && ratio < titleRatio) &&
      p.text.length < longestLarge
    )
  if (around.outlined || (p.list && !p.bold && !isCentredCapitals(p))) return false
  // Against the text around it: appendices may be set smaller as a whole.
  const text = following.find((o) => !o.bold && o.text.length > leastUnder)
  const small = ratio < smaller && (!text || size < smallerThanNext * text.size)
  // Browsers set the fifth level smaller than the text; its number shows that it is one.
  if (small && !(standsOut && deepNumber.test(p.label || p.text))) return false
  return isBoldLine(p, around) || isNumberedLine(p, numbered, around)
}

/**
 * Fonts of Chinese and Japanese have often no bold: programs thicken their letters, which the PDF does not record. The
 * number before them does.
 */
const isBold = (p: Paragraph): boolean =>
  p.bold ||
  (isNumbered(p) &&
    p.runs[0]?.style.bold === true &&
    p.runs.every((r) => r.style.bold || !hasLetters.test(r.text) || isCjk(r.text)))

export const isNumbered = (p: Paragraph): boolean =>
  (p.label !== '' && readNumber(p.label).length > 0) || sectionNumber.test(p.text)

const hasTabs = (p: Paragraph): boolean => p.tabs.length > 0

/** The text of a line that may be a heading whatever its look is: no sentence, caption or address. */
export const isHeadingText = (p: Paragraph): boolean =>
  hasLetters.test(p.text) && !isMostlyDigits(p.text) && !isOtherText(p)

const isOtherText = ({ text, toc, tabs }: Paragraph): boolean =>
  toc !== undefined ||
  tabs.some((t) => t.leader) ||
  !/^[\p{L}\p{N}("'“„«¿¡[【<§@]/u.test(text) ||
  /[,;]$/.test(text) ||
  address.test(text) ||
  caption.test(text)

function cannotHead(p: Paragraph, { body, alike }: Surroundings): boolean {
  const { text } = p
  const large = p.bold && p.size >= biggerBold * body.size
  return (
    isOtherText(p) ||
    (isFixed(p) && !large) ||
    p.list?.format === 'bullet' ||
    text.length > longest ||
    p.lines > mostLines ||
    // Versions and years may be headings beside others that look the same.
    (!(alike && large) && (!hasLetters.test(text) || isMostlyDigits(text)))
  )
}

const isFixed = (p: Paragraph): boolean => p.runs.every((r) => r.style.font.mono || !r.text.trim())

/** Numbers, dates, telephone numbers: more digits than letters. */
function isMostlyDigits(text: string): boolean {
  const bare = unnumbered(text)
  const digits = bare.replace(/\P{N}/gu, '').length
  return digits >= bare.replace(/\P{L}/gu, '').length
}

const isCapitals = (text: string): boolean => text === text.toUpperCase() && /\p{Lu}{3}/u.test(text)
/** Fonts of small capitals give their letters as lower case. */
const capitalFont = /caps|csc\d|-sc\b/i
export const looksCapital = (p: Paragraph): boolean =>
  isCapitals(p.text) ||
  isSmallCaps(p) ||
  p.runs.every((r) => capitalFont.test(r.style.font.name) || !hasLetters.test(r.text))
const isCentredCapitals = (p: Paragraph): boolean => p.align === 'center' && p.lines === 1 && looksCapital(p)

function isBoldLine(p: Paragraph, { following, previous, body, alike }: Surroundings): boolean {
  const next = following[0]
  if (!isBold(p) || body.bold || p.text.length >= longestBold) return false
  const apartAbove = p.before > apart * p.size || !previous?.bold || p.startsPage
  const apartBelow = !next?.bold || next.before > apart * p.size
  // It has text under it that looks different, if not at once then after other headings.
  const under = following.find((o) => !o.bold)
  const overText =
    under !== undefined &&
    ((alike && under.font.mono) || under.text.length > leastUnder || under.label !== '')
  if (!apartAbove || !apartBelow || !overText) return false
  if (!/:$/.test(p.text)) return true
  // What ends with a colon leads on to what follows it; with space above it, it may head it.
  const above = next === undefined || next.left < p.left + 2 * p.size
  if (isCapitals(p.text)) return above
  const spaced = p.before > apart * p.size || p.startsPage
  return (
    spaced && p.lines === 1 && /\S\s+\S/.test(p.text) && p.text.length < shortLine && next?.bold === false
  )
}

/** Neither bigger nor bold: a number, space around, and running text under it. */
function isNumberedLine(p: Paragraph, numbered: boolean, { following, previous }: Surroundings): boolean {
  const next = following[0]
  if (previous && countsOn(previous, p)) return false
  if (
    !numbered ||
    (p.list && !isCentredCapitals(p)) ||
    p.lines > 1 ||
    p.text.length >= fullLine ||
    /[.:]$/.test(p.text) ||
    !next
  )
    return false
  const italic = (o: Paragraph): boolean => o.runs.every((r) => r.style.italic || !r.text.trim())
  if (isCentredCapitals(p)) return true
  if (italic(p) && !italic(next)) return true
  return (
    sectionNumber.test(p.text) &&
    (p.before > farApart * p.size || p.startsPage) &&
    next.before > apart * p.size &&
    next.lines > 1 &&
    next.label === ''
  )
}

const isCounted = (p: Paragraph, { previous, following: [next] }: Surroundings): boolean =>
  (previous !== undefined && countsOn(previous, p)) || (next !== undefined && countsOn(p, next))

/** Numbers that follow each other with no text between them are those of items. */
function countsOn(a: Paragraph, b: Paragraph): boolean {
  const [before, own] = [a, b].map((p) => /^(\d{1,3})[.)]?\s/.exec(`${p.label || p.text} `)?.[1])
  return before !== undefined && own !== undefined && Number(own) === Number(before) + 1
}

/** All of it is in a colour that the text does not have. */
export const isColoured = (p: Paragraph, body: BodyLook): boolean =>
  p.runs.every(({ style }) => style.color !== body.color && isVivid(style.color) && !style.link)

/** Grey marks what matters less. */
function isVivid(color: string): boolean {
  const n = Number.parseInt(color, 16)
  const channels = [n >> 16, (n >> 8) & 255, n & 255]
  return Math.max(...channels) - Math.min(...channels) > leastVivid
}
