import { densestPart, type Grey, textStrip, turn } from './grey.ts'
import {
  enoughIn,
  formsOfChinese,
  hasFrequentWords,
  isKnownLanguage,
  isLanguageClear,
  languageOf,
  languagesOf,
  languagesOfOthers,
  likelyLanguages,
  readWell,
  scriptOf,
} from './languages.ts'
import { withoutLeaders } from './leaders.ts'
import type { OcrReading } from './reading.ts'
import { deskewed } from './skew.ts'
import {
  beginWords,
  detectOrientation,
  type Orientation,
  recogniseWholeWords,
  recogniseWords,
} from './tesseract.ts'
import { withUnread } from './unread-ink.ts'
import { languageOfUnsure, minSurer } from './unsure-words.ts'
import {
  confidenceInLanguage,
  isLegible,
  lettersIn,
  maxForeign,
  minLettersToJudge,
  type OcrWord,
  textsOf,
  turnsOf,
} from './words.ts'

// A page is first read with the language and rotation of the previous page; of the first page, a sample (part of a few
// lines) is read in English. Only if it is read badly and has no frequent words are orientation and script detected, and
// the detection is used only if it improves the sample. The words of the sample, or of the lines, decide between the
// languages of a script, then those of the page with the lowest confidence. Few lines are read more than once.

/** The assumed language, script and rotation of a page. */
export interface Assumption {
  language: string
  script: string
  turns: number
}

interface Attempt {
  assumption: Assumption
  words: readonly OcrWord[]
  confidence: number
}

/**
 * Confidence of 100, weighted by letters. In English, samples of upright pages in seven Latin languages were read with
 * 72 and more, those in other scripts with 61 and less, and those upside down with 46 and less.
 */
const readUpright = 67
/** Maximum number of languages of one script that are tried if none reads the page well. */
const maxTried = 4
/** Size of the part that orientation and script are detected on, in inches. */
const partForDetection = { height: 2, width: 4 }
/** Width in inches of the part of a strip that shows the script and usually the language: time grows with it. */
const sizeOfSample = { width: 3.5, height: Number.POSITIVE_INFINITY }
export const latin = { script: 'Latin', language: 'eng' }

/** Tesseract's own measure. It mistakes noise and pictures for rare scripts, with low confidence. */
const minScriptConfidence = 2

/** Reads one page; `installed` are the languages to choose from, undefined if the caller named the languages. */
export class PageReader {
  assumption: Assumption = { ...latin, turns: 0 }
  /** The assumption with which OCR of the whole page has already started. */
  begun: Assumption | undefined
  #begunWords: (() => OcrWord[] | undefined) | undefined
  readonly #images = new Map<number, Grey>()
  readonly #strips = new Map<number, Grey>()
  readonly #samples = new Map<string, OcrWord[]>()
  readonly #image: Grey
  #isFailed = false
  readonly #installed: readonly string[] | undefined

  constructor(image: Grey, installed: readonly string[] | undefined) {
    this.#image = image
    this.#installed = installed
  }

  begin(assumption: Assumption): void {
    this.begun = assumption
    this.#begunWords = beginWords(this.#upright(assumption.turns), assumption.language)
  }

  read(assumption: Assumption, isFirst: boolean): OcrReading {
    this.assumption = assumption
    // A page in a given language, or like the previous page, is read as a whole; otherwise a sample of it is read
    // first.
    let isWhole = !isFirst || this.#installed === undefined
    let words = isWhole ? this.#words(assumption) : this.#sample(assumption)
    if (!this.#isFailed && !this.#isReadWell(words)) {
      const sample = isWhole ? this.#sample(assumption) : words
      const seen = detectOrientation(densestPart(this.#upright(0), partForDetection))
      const better = this.#better(seen, sample)
      const missingScript = seen && this.#missing(seen, better ?? sample)
      if (missingScript !== undefined) return { ...this.#withoutWords(), missingScript }
      if (better) {
        words = better
        isWhole = false
      }
    }
    if (this.#turnAs(words)) {
      isWhole = false
      words = this.#sample(this.assumption)
    }
    if (!isWhole && !this.#isLanguageClear(words)) {
      words = this.#strip(this.assumption)
      if (this.#turnAs(words)) words = this.#strip(this.assumption)
    }
    const language = this.#languageOf(words)
    if (!isWhole || language !== this.assumption.language) {
      this.assumption = { ...this.assumption, language }
      words = this.#inOwnLanguage(this.#words(this.assumption))
    }
    if (this.#installed && !isLegible(words)) return this.#withoutWords()
    const { language: used, turns } = this.assumption
    return {
      words: withUnread(words, this.#upright(turns), used),
      languages: used.split('+'),
      image: this.#upright(turns),
      turns,
      isFailed: this.#isFailed,
    }
  }

  #withoutWords(): OcrReading {
    return { words: [], languages: [], image: this.#upright(0), turns: 0 }
  }

  /** The words of the whole page may show what those of a few lines did not. */
  #inOwnLanguage(words: OcrWord[]): OcrWord[] {
    if (!isLegible(words)) return words
    const language = this.#languageOf(words)
    let found = words
    if (this.#turnAs(words) || language !== this.assumption.language) {
      this.assumption = { ...this.assumption, language }
      found = this.#words(this.assumption)
    }
    return this.#isLanguageClear(found) ? found : this.#inLanguageOfUnsure(found)
  }

  /** Rotates the page so that the words are upright; false if they are already. */
  #turnAs(words: readonly OcrWord[]): boolean {
    const turns = (this.assumption.turns + turnsOf(words)) % 4
    const isTurned = turns !== this.assumption.turns
    if (isTurned) this.assumption = { ...this.assumption, turns }
    return isTurned
  }

  #isReadWell(words: readonly OcrWord[]): boolean {
    if (confidenceInLanguage(words) >= readUpright) return true
    return isKnownLanguage(textsOf(words), this.#candidates(this.assumption.script))
  }

  /** The words of the sample, read as detected, if that is better than before. */
  #better(seen: Orientation | undefined, words: readonly OcrWord[]): OcrWord[] | undefined {
    const before = this.assumption
    const turns = seen?.turns ?? before.turns
    const script = seen ? scriptOf(seen.script) : before.script
    const tried = [
      // The detection of the rotation is more reliable than that of the script, so the previous script is tried as
      // well.
      ...(turns === before.turns ? [] : [before]),
      ...(script === before.script ? [] : this.#languagesToTry(script)),
    ]
    const own = { assumption: before, words, confidence: confidenceInLanguage(words) }
    // Words decide between the languages of the detected script, if they can.
    let best = this.#best(own, tried, turns, maxForeign)
    // The detection mistakes letters in unknown fonts for Latin ones, and needs more letters than some pages have.
    if (this.#installed && best.confidence <= maxForeign && lettersIn(words) >= minLettersToJudge) {
      const others = languagesOfOthers(this.#installed, [before.script, script])
      const first = this.#best(best, others, turns, readWell)
      const ofLikely = this.#languagesToTry(first.assumption.script)
      const other = first === best ? best : this.#best(first, ofLikely, turns, readWell)
      // Some languages read anything with some confidence, so a high confidence is required.
      if (other.confidence >= readWell) best = other
    }
    if (best.assumption === before) return undefined
    best = this.#inFormOfChinese(best)
    this.assumption = best.assumption
    return [...best.words]
  }

  /**
   * `best`, or the first attempt that reads the sample well, or the best of all. `enough` is for languages whose
   * frequent words are known.
   */
  #best(best: Attempt, tried: readonly Omit<Assumption, 'turns'>[], turns: number, enough: number): Attempt {
    let found = best
    for (const each of tried) {
      if (each.language === found.assumption.language && turns === found.assumption.turns) continue
      const assumption = { ...each, turns }
      const words = this.#sample(assumption)
      const confidence = confidenceInLanguage(words)
      if (confidence > found.confidence) found = { assumption, words, confidence }
      if (confidence >= (hasFrequentWords(each.language) ? enough : enoughIn(each.language, textsOf(words))))
        break
    }
    return found
  }

  /** A sample has few characters that differ between the forms, and cuts others, so lines of full width decide. */
  #inFormOfChinese(best: Attempt): Attempt {
    if (!this.#installed || !formsOfChinese.includes(best.assumption.language)) return best
    const attempt = (language: string): Attempt => {
      const assumption = { ...best.assumption, language }
      const words = this.#strip(assumption)
      return { assumption, words, confidence: confidenceInLanguage(words) }
    }
    const [simplified, traditional] = [attempt(formsOfChinese[0]), attempt(formsOfChinese[1])]
    return traditional.confidence >= simplified.confidence + minSurer ? traditional : simplified
  }

  #missing({ script, scriptConfidence }: Orientation, words: readonly OcrWord[]): string | undefined {
    if (!this.#installed || scriptConfidence < minScriptConfidence) return undefined
    if (confidenceInLanguage(words) > maxForeign) return undefined
    return this.#candidates(scriptOf(script)).length === 0 ? script : undefined
  }

  #candidates(script: string): readonly string[] {
    if (!this.#installed) return [this.assumption.language]
    return (languagesOf(script) ?? []).filter((language) => this.#installed?.includes(language))
  }

  #languagesToTry(script: string): { script: string; language: string }[] {
    return this.#candidates(script)
      .slice(0, maxTried)
      .map((language) => ({ script, language }))
  }

  #languageOf(words: readonly OcrWord[]): string {
    const { language, script } = this.assumption
    return this.#installed ? languageOf(textsOf(words), language, this.#candidates(script)) : language
  }

  #isLanguageClear(words: readonly OcrWord[]): boolean {
    return isLanguageClear(textsOf(words), this.#candidates(this.assumption.script))
  }

  /** If frequent words do not decide: reads the page in the language that reads its words of lowest confidence best. */
  #inLanguageOfUnsure(words: OcrWord[]): OcrWord[] {
    const before = this.assumption
    const language = languageOfUnsure(
      words,
      this.#upright(before.turns),
      before.language,
      likelyLanguages(textsOf(words), this.#candidates(before.script)),
    )
    if (language === before.language) return words
    this.assumption = { ...before, language }
    const again = this.#words(this.assumption)
    if (confidenceInLanguage(again) > confidenceInLanguage(words)) return again
    this.assumption = before
    this.#isFailed = false
    return words
  }

  #upright(turns: number): Grey {
    return cached(this.#images, turns, () => withoutLeaders(deskewed(turn(this.#image, turns))))
  }

  #words(assumption: Assumption): OcrWord[] {
    const { language, turns } = assumption
    const words =
      assumption === this.begun ? this.#begunWords?.() : recogniseWords(this.#upright(turns), language)
    this.#isFailed = words === undefined
    return words ?? []
  }

  #sample({ language, turns }: Assumption): OcrWord[] {
    return cached(this.#samples, `${language} ${turns}`, () =>
      recogniseWholeWords(densestPart(this.#stripAt(turns), sizeOfSample), language),
    )
  }

  #strip({ language, turns }: Assumption): OcrWord[] {
    return recogniseWholeWords(this.#stripAt(turns), language)
  }

  #stripAt(turns: number): Grey {
    return cached(this.#strips, turns, () => textStrip(this.#upright(turns)))
  }
}

function cached<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  const value = cache.get(key) ?? make()
  cache.set(key, value)
  return value
}
