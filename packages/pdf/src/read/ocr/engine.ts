import { ConversionFailure } from '../../failure.ts'
import { densestPart, type Grey, textStrip, turn } from './grey.ts'
import {
  hasFrequentWords,
  isKnownLanguage,
  languageOf,
  languagesOf,
  languagesOfOthers,
  scriptOf,
} from './languages.ts'
import { withoutLeaders } from './leaders.ts'
import { straightened } from './skew.ts'
import {
  beginWords,
  detectOrientation,
  installedLanguages,
  type Orientation,
  recogniseWords,
} from './tesseract.ts'
import { meanConfidence, type OcrWord, sureWords, turnsOf } from './words.ts'

// Text of scanned pages, read by tesseract where it is installed.
//
// A page is first read as the page before it: in its language, and with its turn. The first page of a document is tried
// by a few lines of it, in English. Only where these are read badly and hold no frequent words are the orientation and
// the script detected, and the detection is followed only where the lines are then read better. The words themselves
// decide between the languages of a script.

export interface OcrEngine {
  read(image: Grey): OcrReading
  /** Begins to read a picture for which `read` will be called; false where nothing is known of the document yet. */
  readAhead?(image: () => Grey | undefined): boolean
}

export interface OcrReading {
  words: OcrWord[]
  /** Those that the words were read in. */
  languages: readonly string[]
  /** The picture that was read, upright and straight. */
  image: Grey
  /** Clockwise quarter turns that made the picture upright. */
  turns: number
  /** The script of the page, where no installed language is written in it. */
  missingScript?: string
}

interface Assumption {
  language: string
  script: string
  turns: number
}

interface Attempt {
  assumption: Assumption
  words: readonly OcrWord[]
  confidence: number
}

const mostNamed = 40
/** Letters of a strip: fewer are specks, or a line in a photograph. */
const minLettersToJudge = 20
/** Of 100, by letters: what is read in another language, or upside down, stays below. */
const readWell = 75
/** Languages of one script that are tried where none reads the page well. */
const maxTried = 4
/** No other language of the script would read it better. */
const readSurely = 90
/** Of the part that orientation and script are detected on, in inches. */
const partForDetection = { height: 2, width: 4 }
/** Width in inches of the part of a strip by which scripts are distinguished. */
const partForScript = 2.5
const latin = { script: 'Latin', language: 'eng' }

let installedNames: { names: string[] | undefined } | undefined

/** For one document. `wanted` are languages; without any, those that the pages are in. */
export function findOcrEngine(wanted?: readonly string[]): OcrEngine | undefined {
  installedNames ??= { names: installedLanguages() }
  const installed = installedNames.names?.filter((name) => name !== 'osd') ?? []
  const [any] = installed
  if (any === undefined) return undefined
  const missing = wanted?.filter((language) => !installed.includes(language)) ?? []
  if (missing.length > 0)
    throw new ConversionFailure(
      'unsupported',
      `Text recognition here does not know the language ${missing.join(', ')}. It knows ${installed.slice(0, mostNamed).join(', ')}.`,
    )
  const first = wanted?.join('+') ?? (installed.includes(latin.language) ? latin.language : any)
  let before: Assumption | undefined
  const begun = new Map<Grey, PageReader>()
  const readerOf = (image: Grey) => new PageReader(image, wanted ? undefined : installed)
  return {
    readAhead(imageOf) {
      if (!before) return false
      const image = imageOf()
      if (!image) return true
      const page = readerOf(image)
      page.begin(before)
      begun.set(image, page)
      return true
    },
    read(image) {
      const page = begun.get(image) ?? readerOf(image)
      begun.delete(image)
      const reading = page.read(
        page.begun ?? before ?? { script: latin.script, language: first, turns: 0 },
        before === undefined,
      )
      if (reading.words.length > 0) before = page.assumption
      return reading
    },
  }
}

/** Reads one page; `installed` are the languages that it may be read in, undefined where the caller named them. */
class PageReader {
  assumption: Assumption = { ...latin, turns: 0 }
  readonly #images = new Map<number, Grey>()
  readonly #strips = new Map<number, Grey>()
  readonly #image: Grey
  #begun: { assumption: Assumption; words: () => OcrWord[] } | undefined
  readonly #installed: readonly string[] | undefined

  constructor(image: Grey, installed: readonly string[] | undefined) {
    this.#image = image
    this.#installed = installed
  }

  /** What the whole page is already read as. */
  get begun(): Assumption | undefined {
    return this.#begun?.assumption
  }

  begin(assumption: Assumption): void {
    const words = beginWords(this.#upright(assumption.turns), assumption.language)
    this.#begun = { assumption, words }
  }

  read(assumption: Assumption, isFirst: boolean): OcrReading {
    this.assumption = assumption
    // A page in a language that is named, or like the page before, is read at once; else a strip of it is tried.
    let isWhole = !isFirst || this.#installed === undefined
    let words = isWhole ? this.#words(assumption) : this.#strip(assumption)
    if (!this.#isReadWell(words)) {
      const sample = isWhole ? this.#strip(assumption) : words
      const seen = detectOrientation(densestPart(this.#upright(0), partForDetection))
      const better = this.#better(seen, sample)
      const missingScript = seen && this.#missing(seen, better ?? sample)
      if (missingScript !== undefined)
        return { words: [], languages: [], image: this.#upright(0), turns: 0, missingScript }
      if (better) {
        words = better
        isWhole = false
      }
    }
    const turns = (this.assumption.turns + turnsOf(words)) % 4
    if (turns !== this.assumption.turns) {
      this.assumption = { ...this.assumption, turns }
      isWhole = false
    }
    const language = this.#languageOf(words)
    if (!isWhole || language !== this.assumption.language) {
      this.assumption = { ...this.assumption, language }
      words = this.#words(this.assumption)
      const own = this.#languageOf(words)
      // What the strip did not show, the whole page may.
      if (own !== language) {
        this.assumption = { ...this.assumption, language: own }
        words = this.#words(this.assumption)
      }
    }
    return {
      words: sureWords(words),
      languages: this.assumption.language.split('+'),
      image: this.#upright(turns),
      turns,
    }
  }

  #isReadWell(words: readonly OcrWord[]): boolean {
    if (meanConfidence(words) >= readWell) return true
    return isKnownLanguage(textsOf(words), this.#candidates(this.assumption.script))
  }

  /** The words of the strip, read as detected, where that is better than before. */
  #better(seen: Orientation | undefined, words: readonly OcrWord[]): OcrWord[] | undefined {
    const before = this.assumption
    const turns = seen?.turns ?? before.turns
    const script = seen ? scriptOf(seen.script) : before.script
    const own = this.#candidates(script)
      .filter((language) => language !== before.language)
      .slice(0, maxTried)
    const tried = [
      // The detection of the turn is more reliable than that of the script, so the script before is tried as well.
      ...(turns === before.turns ? [] : [before]),
      ...(script === before.script ? [] : withScript(script, own)),
    ]
    let best = this.#best({ assumption: before, words, confidence: meanConfidence(words) }, tried, turns)
    // The detection takes letters in fonts that it does not know for Latin ones, and needs more of them than some pages have.
    if (this.#installed && best.confidence <= mostOfForeign && lettersIn(words) >= minLettersToJudge) {
      const others = languagesOfOthers(this.#installed, [before.script, script])
      const first = this.#best(best, others, turns, partForScript)
      const { script: likely } = first.assumption
      const languages = withScript(likely, this.#candidates(likely).slice(0, maxTried))
      const other = first === best ? best : this.#best(first, languages, turns, partForScript)
      // Some languages read anything with some confidence, so it has to be read well.
      if (other.confidence >= readWell) best = other
    }
    if (best.assumption === before) return undefined
    this.assumption = best.assumption
    return [...best.words]
  }

  /** `best`, or the first of those that read the strip well, or the best of all. */
  #best(best: Attempt, tried: readonly Omit<Assumption, 'turns'>[], turns: number, width?: number): Attempt {
    let found = best
    for (const each of tried) {
      if (each.language === found.assumption.language && turns === found.assumption.turns) continue
      const assumption = { ...each, turns }
      const words = this.#strip(assumption, width)
      const confidence = meanConfidence(words)
      if (confidence > found.confidence) found = { assumption, words, confidence }
      if (confidence >= (hasFrequentWords(each.language) ? readWell : readSurely)) break
    }
    return found
  }

  #missing({ script, scriptConfidence }: Orientation, words: readonly OcrWord[]): string | undefined {
    if (!this.#installed || scriptConfidence < leastScriptConfidence) return undefined
    if (meanConfidence(words) > mostOfForeign) return undefined
    return this.#candidates(scriptOf(script)).length === 0 ? script : undefined
  }

  #candidates(script: string): readonly string[] {
    if (!this.#installed) return [this.assumption.language]
    return (languagesOf(script) ?? []).filter((language) => this.#installed?.includes(language))
  }

  #languageOf(words: readonly OcrWord[]): string {
    const { language, script } = this.assumption
    return this.#installed ? languageOf(textsOf(words), language, this.#candidates(script)) : language
  }

  #upright(turns: number): Grey {
    const known = this.#images.get(turns)
    if (known) return known
    const image = withoutLeaders(straightened(turn(this.#image, turns)))
    this.#images.set(turns, image)
    return image
  }

  #words(assumption: Assumption): OcrWord[] {
    const { language, turns } = assumption
    if (assumption === this.#begun?.assumption) return this.#begun.words()
    return recogniseWords(this.#upright(turns), language)
  }

  /** Without the lines that the edges of the strip cut; `width` in inches, where a part of it is enough. */
  #strip({ language, turns }: Assumption, width?: number): OcrWord[] {
    const whole = this.#strips.get(turns) ?? textStrip(this.#upright(turns))
    this.#strips.set(turns, whole)
    const strip =
      width === undefined ? whole : densestPart(whole, { width, height: Number.POSITIVE_INFINITY })
    const isWhole = ({ top, height }: OcrWord): boolean =>
      top > roundedBy && top + height < strip.height - roundedBy
    return recogniseWords(strip, language).filter(isWhole)
  }
}

const withScript = (script: string, languages: readonly string[]) =>
  languages.map((language) => ({ script, language }))

const lettersIn = (words: readonly OcrWord[]): number => words.reduce((sum, { text }) => sum + text.length, 0)

const textsOf = (words: readonly OcrWord[]): string[] => words.map(({ text }) => text)

/** Dots by which boxes of words are too small. */
const roundedBy = 2

/** Tesseract's own measure. It takes noise and pictures for rare scripts, and is not sure of it then. */
const leastScriptConfidence = 2
/** Of 100: letters of another script are not read better. */
const mostOfForeign = 60
