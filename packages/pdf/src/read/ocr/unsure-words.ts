import { median } from '../../geometry.ts'
import type { Grey } from './grey.ts'
import { sheetOf } from './sheet.ts'
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
export const minSurer = 3

/** Space between the words that are read again, in inches. */
const gap = 0.1

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
  const picture = sheetOf(unsure, image, Math.round(gap * image.dotsPerInch)).image
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
