import { isCjk } from '../lines/scripts.ts'
import { type BrokenWord, learnKorean } from './korean.ts'

// Uses the words of a document to decide about those broken at line ends.

/** Shorter words are parts of others too often to vouch for one. */
const shortestWord = 4
/** In characters: addresses are the longest. Whatever a file holds, no more is looked through at a line's end. */
export const longestWord = 200
/** Lines of fewer words are no running text, whose ends show hyphenation. */
const minWordsInLine = 5
/** Compounds alone end fewer lines with a hyphen; a short text is not enough. */
const minBroken = 0.012
const fewLines = 40
/** One word of a short text may be part of another by chance. */
const minShort = 2
/** Running text joins scripts often; an address may do it once. */
const minJoined = 5

export interface Vocabulary {
  has(word: string): boolean
  /** The word stands inside a line, where nothing cuts words. */
  isWhole(word: string): boolean
  /** Words are broken at line ends. Where they are not, a hyphen at a line's end is the word's own. */
  hyphenates: boolean
  /** Broken words are marked where they were broken. */
  marksBreaks: boolean
  /** Of Korean, whose lines may end inside a word. */
  isBroken: BrokenWord
  /** Words in Latin letters stand apart from the Chinese or Japanese around them. */
  partsScripts: boolean
}

/** Words of the document that stand whole on one line. */
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

/**
 * The text before a hyphen at a line's end is a word in a compound, and no word where it was hyphenated; that
 * one may stand whole elsewhere.
 */
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
    if (text.split(/[^\p{L}\p{N}\u2010-]+/u).length < minWordsInLine) continue
    lines++
    if (before !== '') broken++
  }
  const isShort = lines < fewLines
  if (ofWords - ofParts >= (isShort ? minShort : 1)) return false
  return isShort || broken > minBroken * lines
}

/** Where the document hardly says, it does. */
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
  return joined < minJoined || parted >= joined
}
