import { samples } from '@kiln/test-support/languages.ts'
import { createRandom, type Random } from '@kiln/test-support/random.ts'

// One-page documents in many languages, made by seed: letters, tables, tables of contents and columns. Sentences come
// from the samples of the tests or from other texts; names, dates and amounts from Unicode's locale data.

export interface ScanLanguage {
  code: string
  /** Tesseract's name. */
  tesseract: string
  /** Scripts without spaces, and those whose words join, are compared by characters. */
  unit: 'words' | 'characters'
  text: string
}

export interface ScanDocument {
  name: string
  language: ScanLanguage
  html: string
  /** Every text of the page, in any order. */
  truth: string[]
}

const english =
  'The potter left the bowls in the kiln overnight and waited until morning. Then he opened the door, looked at every piece and kept the best for the market in Bristol. The others he gave to his neighbours, who had brought fresh bread, honey and apples from their garden.'

const inSamples: readonly [code: string, tesseract: string, language: string, unit?: 'characters'][] = [
  ['de', 'deu', 'German'],
  ['fr', 'fra', 'French'],
  ['es', 'spa', 'Spanish'],
  ['it', 'ita', 'Italian'],
  ['pt', 'por', 'Portuguese'],
  ['nl', 'nld', 'Dutch'],
  ['pl', 'pol', 'Polish'],
  ['cs', 'ces', 'Czech'],
  ['tr', 'tur', 'Turkish'],
  ['vi', 'vie', 'Vietnamese'],
  ['ru', 'rus', 'Russian'],
  ['uk', 'ukr', 'Ukrainian'],
  ['el', 'ell', 'Greek'],
  ['he', 'heb', 'Hebrew'],
  ['ar', 'ara', 'Arabic', 'characters'],
  ['hi', 'hin', 'Hindi'],
  ['th', 'tha', 'Thai', 'characters'],
  ['zh-Hans', 'chi_sim', 'Chinese, simplified', 'characters'],
  ['zh-Hant', 'chi_tra', 'Chinese, traditional', 'characters'],
  ['ja', 'jpn', 'Japanese', 'characters'],
  ['ko', 'kor', 'Korean', 'characters'],
]

export const scanLanguages: readonly ScanLanguage[] = [
  { code: 'en', tesseract: 'eng', unit: 'words', text: english },
  ...inSamples.map(([code, tesseract, language, unit = 'words' as const]) => ({
    ...{ code, tesseract, unit },
    text: samples.find((s) => s.language === language)?.text ?? '',
  })),
]

const families = ['Liberation Serif', 'Liberation Sans', 'Carlito', 'DejaVu Sans']
const countries = 'DE FR ES IT PT NL PL CZ TR VN RU UA GR IL EG IN TH CN JP KR BR MX CA AU SE NO FI'.split(
  ' ',
)
const kinds = ['letter', 'table', 'contents', 'columns'] as const

interface Words {
  random: Random
  /** The sentences of one paragraph. */
  prose(): string[]
  joint: string
  country(): string
  date(): string
  amount(): string
}

/** Parts of a text that follow one another, as long as the sample of the language. */
function excerpt(parts: readonly string[], length: number, random: Random): string[] {
  const own: string[] = []
  const start = Math.floor(random.between(0, parts.length))
  for (let i = 0; i < parts.length && own.join(' ').length < length; i++)
    own.push(parts[(start + i) % parts.length] ?? '')
  return own
}

function wordsOf({ code, text }: ScanLanguage, random: Random, other: readonly string[] | undefined): Words {
  const sentences = [...new Intl.Segmenter(code, { granularity: 'sentence' }).segment(text)].map((s) =>
    s.segment.trim(),
  )
  const names = new Intl.DisplayNames(code, { type: 'region' })
  const date = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' })
  const amount = new Intl.NumberFormat(code, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return {
    random,
    // The same sentences in an order of their own, or other ones.
    prose: () =>
      other ? excerpt(other, text.length, random) : [...sentences].sort(() => random.next() - 0.5),
    joint: /^(?:zh|ja|th)/.test(code) ? '' : ' ',
    country: () => names.of(random.pick(countries)) ?? '',
    date: () => date.format(new Date(random.between(0, 1.8e12))),
    amount: () => amount.format(random.between(1, 99_999)),
  }
}

/** With a date and an amount, which no dictionary knows. */
const paragraph = ({ prose, joint, date, amount, country }: Words): string =>
  [...prose(), `${country()}: ${date()}, ${amount()}.`].join(joint)

const cell = (text: string): string => `<td>${text}</td>`

function bodyOf(kind: (typeof kinds)[number], words: Words): { html: string; truth: string[] } {
  const { random, country, date, amount } = words
  const title = `${country()} ${Math.floor(random.between(1990, 2030))}`
  const heading = `<h1>${title}</h1>`
  const count = (low: number, high: number): number => Math.floor(random.between(low, high))
  if (kind === 'table') {
    const rows = Array.from({ length: count(8, 14) }, () => [country(), date(), amount(), amount()])
    const before = paragraph(words)
    const html = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')
    const border = random.next() < 0.5 ? ' border="1"' : ''
    const table = `<table${border} cellpadding="3" cellspacing="0">${html}</table>`
    return { html: `${heading}<p>${before}</p>${table}`, truth: [title, before, ...rows.flat()] }
  }
  if (kind === 'contents') {
    const rows = Array.from({ length: count(12, 20) }, (_, i) => {
      const name = `${i + 1}. ${country()}, ${country()}`
      return { name, page: String(count(1, 400)), dots: '. '.repeat(count(14, 24)) }
    })
    const html = rows.map(({ name, page, dots }) => `<p>${name} ${dots} ${page}</p>`).join('')
    return { html: heading + html, truth: [title, ...rows.flatMap(({ name, page }) => [name, page])] }
  }
  const paragraphs = Array.from({ length: kind === 'columns' ? 6 : count(3, 6) }, () => paragraph(words))
  const html = paragraphs.map((p) => `<p>${p}</p>`).join('')
  const placed = kind === 'columns' ? `<div style="columns: 2; column-gap: 24pt">${html}</div>` : html
  return { html: heading + placed, truth: [title, ...paragraphs] }
}

/** `other` are the sentences or short paragraphs of a text that is used instead of the sample. */
export function makeScanDocument(
  language: ScanLanguage,
  seed: number,
  other?: readonly string[],
): ScanDocument {
  const { code, tesseract } = language
  const random = createRandom(seed * 7919 + scanLanguages.indexOf(language))
  const kind = kinds[seed % kinds.length] ?? 'letter'
  const { html, truth } = bodyOf(kind, wordsOf(language, random, other))
  const size = kind === 'columns' ? 9 : Math.round(random.between(9, 12))
  const direction = /^(?:ar|he)$/.test(code) ? 'rtl' : 'ltr'
  return {
    name: `${tesseract}-${kind}-${seed}`,
    language,
    truth,
    html: `<!DOCTYPE html><html lang="${code}" dir="${direction}"><head><meta charset="utf-8"><style>
@page { size: A4; margin: 20mm }
body { font: ${size}pt/1.3 "${random.pick(families)}"; margin: 0 } p { margin: 0 0 ${size}pt } h1 { font-size: ${size + 6}pt }
</style></head><body>${html}</body></html>`,
  }
}
