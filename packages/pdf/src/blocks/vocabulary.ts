import { isCjk } from '../lines/scripts.ts'
import { several } from '../tolerances.ts'
import { type BrokenWord, learnKorean } from './korean.ts'

// Uses the words of a document to decide about words broken at line ends.

/** Shorter words are too often parts of other words to be evidence. */
const shortestWord = 4
/** In characters; URLs are the longest. Limits the search at a line end for any input. */
export const longestWord = 200
/** Minimum share of lines that end with a hyphen: compounds alone end fewer. A short text is not sufficient. */
const minBroken = 0.012
const fewLines = 40
/** In a short text, one word may be part of another by chance. */
const minShort = 2

export interface Vocabulary {
  has(word: string): boolean
  /** Whether the word occurs inside a line, where words are not broken. */
  isWhole(word: string): boolean
  /** Whether words are hyphenated at line ends. If not, a hyphen at a line end is part of the word. */
  hyphenates: boolean
  /** Whether a mark is inserted where words were broken. */
  marksBreaks: boolean
  /** For Korean, whose lines may end inside a word. */
  isBroken: BrokenWord
  /** Whether a space separates words in Latin script from the Chinese or Japanese text around them. */
  partsScripts: boolean
}

/** Collects the words that are complete on one line. */
export function learnVocabulary(texts: readonly string[], marksBreaks = false): Vocabulary {
  const words = new Set<string>()
  const whole = new Set<string>()
  for (const text of texts) {
    const own = text.toLowerCase()
    for (const word of own.split(/[^\p{L}\p{N}\u2010-]+/u)) if (word.length >= shortestWord) words.add(word)
    for (const word of (own.match(/[\p{L}\p{N}]+/gu) ?? []).slice(1, -1)) whole.add(word)
  }
  return {
    has: (word) => words.has(word),
    isWhole: (word) => whole.has(word),
    hyphenates: breaksWords(texts, words, whole),
    marksBreaks,
    isBroken: learnKorean(texts),
    partsScripts: partsScripts(texts),
  }
}

/** What precedes the hyphen at a line end is a word in compounds; in hyphenated words only the whole is one. */
function breaksWords(
  texts: readonly string[],
  words: ReadonlySet<string>,
  whole: ReadonlySet<string>,
): boolean {
  let lines = 0
  let broken = 0
  let ofWords = 0
  let ofParts = 0
  for (const [i, text] of texts.entries()) {
    const before = /(\p{L}{2,})[-\u2010]$/u.exec(text.trimEnd().slice(-longestWord))?.[1]?.toLowerCase() ?? ''
    if (before.length >= shortestWord && /\s/.test(text)) {
      const after = /^\p{Ll}+/u.exec(texts[i + 1] ?? '')?.[0] ?? ''
      if (whole.has(before) && !words.has(before + after)) ofWords++
      else ofParts++
    }
    // Shorter lines are not running text, whose ends show hyphenation.
    if (text.split(/[^\p{L}\p{N}\u2010-]+/u).length < several) continue
    lines++
    if (before !== '') broken++
  }
  const isShort = lines < fewLines
  if (ofWords - ofParts >= (isShort ? minShort : 1)) return false
  return isShort || broken > minBroken * lines
}

/** True if the document has little evidence. */
function partsScripts(texts: readonly string[]): boolean {
  let parted = 0
  let joined = 0
  for (const text of texts) {
    if (!isCjk(text)) continue
    parted +=
      text.match(/\p{Script=Han} [A-Za-z]|[\p{Script=Hiragana}\p{Script=Katakana}] [A-Za-z]/gu)?.length ?? 0
    joined +=
      text.match(/\p{Script=Han}[A-Za-z]|[\p{Script=Hiragana}\p{Script=Katakana}][A-Za-z]/gu)?.length ?? 0
  }
  return joined < several || parted >= joined
}
