import { isCjk } from '../lines/scripts.ts'
import { samePosition, smallerSize } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import type { BodyLook } from './body-look.ts'
import { isHeavier } from './heading-levels.ts'
import { longest, unnumbered } from './heading-marks.ts'
import { readNumber } from './labels.ts'

// Decides by its look whether a line is a heading: it is larger than the body text, or it is short, has space around it
// and is bold or numbered.

export interface Surroundings {
  following: readonly Paragraph[]
  previous: Paragraph | undefined
  body: BodyLook
  /** The heaviest heading in bookmarks or the table of contents: these list all lighter ones. */
  listed: Paragraph | undefined
}

const hasLetters = /\p{L}{2}/u
const address = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+\.\S+$/i
/** A caption belongs to its figure or table. */
const caption =
  /^(?:table|tab\.|figure|fig\.|chart|graph|exhibit|plate|scheme|listing|algorithm|abbildung|abb\.|tabelle|tableau|tabla|cuadro|figura|grafico|gráfico|tabela|ilustración|ilustrasi|gambar|afbeelding|tabel|obrázek|tabulka|obrázok|tabuľka|rysunek|ábra|táblázat|slika|tablica|bild|tabell|figur|kuva|taulukko|şekil|tablo|hình|bảng|εικόνα|σχήμα|πίνακας|рис\.|рисунок|таблица|таблиця|그림|표|图|圖|表|図)\s*[\dIVX]+(?:[.\-–]\w+)*(?:[.:)\s|–—-]|$)/iu
/** A section number, or a word such as "chapter", before a capital letter. */
const sectionNumber =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}[.)]?|[IVX]{1,6}[.)]|[A-Z](?:\.\d{1,2})+\.?|(?:chapter|section|part|appendix|annex|kapitel|abschnitt|anhang|chapitre|annexe|capítulo|capitolo)\s+\w{1,4}[.:]?)[\s\t]+(?=[\p{Lu}\p{Lo}“"«(])/iu

/** Minimum distance between a heading and the line above, in ems. */
export const apart = 0.35
/** A line that ends with a full stop or introduces the lines below is a heading only if it is larger by a quarter. */
export const largeRatio = 1.25
/** Minimum size ratios of headings: 13 points over 12 in bold, 14 over 12 in regular. */
export const biggerBold = 1.08
const bigger = 1.16
/** In lines. */
const maxLines = 4
/** In characters. A line of body text has about 60 to 90. */
export const longestBold = 130
/** Minimum length of the text below a heading, in characters. */
export const minUnder = 40

export function isHeading(p: Paragraph, around: Surroundings): boolean {
  if (cannotHead(p) || (p.tabs.length > 0 && !(isNumbered(p) && /^\S+\t[^\t]*$/.test(p.text)))) return false
  const { body } = around
  const ratio = p.size / body.size
  const bold = isBold(p)
  // A full stop ends a sentence, not a heading, unless all other evidence contradicts.
  if (/[^.][.!。]$/u.test(p.text) && !(bold && (isNumbered(p) || ratio >= largeRatio))) return false
  // Body text may be a little larger than most of the page; in that case lines that introduce others and list items are
  // not headings.
  const leadsOn = !bold && ratio < largeRatio && (isCounted(p, around) || /:$/.test(p.text))
  if (ratio >= (bold ? biggerBold : bigger) && !leadsOn) return !body.common(p)
  if (ratio < smallerSize || (around.listed && isHeavier(around.listed, p))) return false
  return isBoldLine(p, around) || isMarkedLine(p, around)
}

/** Chinese and Japanese are often thickened, which the PDF does not record, but the number before them is bold. */
const isBold = (p: Paragraph): boolean =>
  p.bold || (p.runs[0]?.style.bold === true && p.runs.every((r) => r.style.bold || isCjk(r.text)))

export const isNumbered = (p: Paragraph): boolean =>
  (p.label !== '' && readNumber(p.label).length > 0) || sectionNumber.test(p.text)

/** Whether the text may be a heading, regardless of its look: not a sentence, caption or address. */
export const isHeadingText = (p: Paragraph): boolean =>
  hasLetters.test(p.text) && !isMostlyDigits(p.text) && !isOtherText(p)

const isOtherText = ({ text, toc }: Paragraph): boolean =>
  toc !== undefined ||
  !/^[\p{L}\p{N}("'“„«¿¡[【<§@]/u.test(text) ||
  /[,;]$/.test(text) ||
  address.test(text) ||
  caption.test(text)

const cannotHead = (p: Paragraph): boolean =>
  !isHeadingText(p) || isFixed(p) || p.text.length > longest || p.lines > maxLines

const isFixed = (p: Paragraph): boolean => p.runs.every((r) => r.style.font.mono || !r.text.trim())

/** Numbers, dates and telephone numbers have more digits than letters. */
function isMostlyDigits(text: string): boolean {
  const bare = unnumbered(text)
  const digits = bare.replace(/\P{N}/gu, '').length
  return digits >= bare.replace(/\P{L}/gu, '').length
}

export const isCapitals = (text: string): boolean => text === text.toUpperCase() && /\p{Lu}{3}/u.test(text)

function isBoldLine(p: Paragraph, { following, previous, body }: Surroundings): boolean {
  const next = following[0]
  if (!isBold(p) || body.bold || p.text.length >= longestBold || /:$/.test(p.text)) return false
  // A number on the line above belongs to it.
  const apartAbove = p.before > apart * p.size || !previous?.bold || /^[\d.]+$/.test(previous.text)
  const apartBelow = !next?.bold || next.before > apart * p.size
  // Text of a different look follows, directly or after other headings.
  const under = following.find((o) => !o.bold)
  return apartAbove && apartBelow && under !== undefined && isText(under)
}

/** Entries of a table of contents are short. */
const isText = (p: Paragraph): boolean => p.toc !== undefined || p.text.length > minUnder

/** Text that is aligned with the text after a simple number, not with the number, belongs to a list item. */
const isItemOf = (p: Paragraph, next: Paragraph): boolean =>
  /^\W?\w+\W$/.test(p.label) &&
  p.textAt > p.left + p.first + samePosition &&
  Math.abs(next.left - p.textAt) < samePosition

/** Neither larger nor bold, but numbered or in capitals, with space around it and running text below. */
function isMarkedLine(p: Paragraph, { following, previous }: Surroundings): boolean {
  const next = following[0]
  return (
    next !== undefined &&
    p.lines === 1 &&
    !/[.:]$/.test(p.text) &&
    !(previous && countsOn(previous, p)) &&
    !isItemOf(p, next) &&
    p.before > apart * p.size &&
    (next.lines > 1 || next.toc !== undefined) &&
    ((sectionNumber.test(p.text) && next.before > apart * p.size) ||
      (isCapitals(p.text) && !isCapitals(next.text)))
  )
}

const isCounted = (p: Paragraph, { previous, following: [next] }: Surroundings): boolean =>
  (previous !== undefined && countsOn(previous, p)) || (next !== undefined && countsOn(p, next))

/** Consecutive simple numbers or letters without text between them belong to list items. */
function countsOn(a: Paragraph, b: Paragraph): boolean {
  const [before = [], own = []] = [a, b].map((p) => {
    const start = p.label || (/^\S+/.exec(p.text)?.[0] ?? '')
    return readNumber(/^\d+$/.test(start) ? `${start}.` : start)
  })
  return own.some((n) =>
    before.some((o) => o.format === n.format && n.value === o.value + 1 && !/\d/.test(o.prefix + n.prefix)),
  )
}
