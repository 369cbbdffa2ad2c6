import { median } from '../../geometry.ts'
import { type Grey, white } from './grey.ts'
import { recogniseWords } from './tesseract.ts'
import { meanConfidence, type OcrWord } from './words.ts'

// The words of a page with the lowest confidence. Reading them in another language shows whether it is that of the
// page, by its letters and its dictionary. A list of names has no frequent words that would show the language.

const maxWords = 15
/** Fewer words are not significant. */
const minWords = 8
const ofLetters = /\p{L}{3}/u
/** Confidence (0 to 100): words outside the dictionary of the language have a lower one. */
const inDictionary = 95
/** Minimum gain in confidence: smaller differences between languages are chance. */
const minSurer = 3

/**
 * The candidate that reads the words of lowest confidence best; `current`, which read them first, if none is better.
 */
export function languageOfUnsure(
  words: readonly OcrWord[],
  image: Grey,
  current: string,
  candidates: readonly string[],
): string {
  const others = candidates.filter((language) => language !== current)
  const unsure = others.length > 0 ? unsureWords(words) : undefined
  if (!unsure) return current
  const picture = pictureOf(unsure, image)
  const confidenceIn = (language: string): number => meanConfidence(recogniseWords(picture, language) ?? [])
  let best = { language: current, confidence: confidenceIn(current) + minSurer }
  for (const language of others) {
    const confidence = confidenceIn(language)
    if (confidence > best.confidence) best = { language, confidence }
    if (confidence >= inDictionary) break
  }
  return best.language
}

/** Undefined if most words are in the dictionary of the language, or if there are too few. */
function unsureWords(words: readonly OcrWord[]): OcrWord[] | undefined {
  const unsure = words
    .filter(({ text }) => ofLetters.test(text))
    .toSorted((a, b) => a.confidence - b.confidence)
    .slice(0, maxWords)
  const isUnsure = unsure.length >= minWords && median(unsure.map((w) => w.confidence)) < inDictionary
  return isUnsure ? unsure : undefined
}

/** In inches: width of the picture, space between words, and margin around each. */
const sheet = { width: 5, gap: 0.1, margin: 0.03 }

/** A picture of only these words, in lines. */
function pictureOf(words: readonly OcrWord[], image: Grey): Grey {
  const dots = (inches: number): number => Math.round(inches * image.dotsPerInch)
  const [gap, margin] = [dots(sheet.gap), dots(sheet.margin)]
  const width = Math.max(dots(sheet.width), ...words.map((w) => w.width + 2 * gap))
  const lineHeight = Math.max(...words.map((w) => w.height)) + gap
  let [left, bottom] = [gap, lineHeight + gap]
  const places = words.map((word) => {
    if (left + word.width + gap > width) {
      left = gap
      bottom += lineHeight
    }
    const place = { word, left, top: bottom - word.height }
    left += word.width + gap
    return place
  })
  const height = bottom + gap
  const pixels = new Uint8Array(width * height).fill(white)
  for (const { word, left, top } of places) {
    const from = Math.max(0, word.left - margin)
    const to = Math.min(image.width, word.left + word.width + margin)
    const last = Math.min(image.height, word.top + word.height + margin)
    for (let y = Math.max(0, word.top - margin); y < last; y++) {
      const at = (top + y - word.top) * width + left + from - word.left
      pixels.set(image.pixels.subarray(y * image.width + from, y * image.width + to), at)
    }
  }
  return { width, height, pixels, dotsPerInch: image.dotsPerInch }
}
