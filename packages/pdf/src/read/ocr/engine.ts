import { ConversionFailure } from '../../failure.ts'
import { densestPart, type Grey, textStrip, turn } from './grey.ts'
import { hasFrequentWords, isKnownLanguage, languageOf, languagesOf, scriptOf } from './languages.ts'
import { withoutLeaders } from './leaders.ts'
import { straightened } from './skew.ts'
import { detectOrientation, installedLanguages, type Orientation, recogniseWords } from './tesseract.ts'
import { meanConfidence, type OcrWord, sureWords, turnsOf } from './words.ts'

// Text of scanned pages, read by tesseract where it is installed.
//
// A page is first read as the page before it: in its language, and with its turn. The first page of a document is tried
// by a few lines of it, in English. Only where these are read badly and hold no frequent words are the orientation and
// the script detected, and the detection is followed only where the lines are then read better. The words themselves
// decide between the languages of a script.

export interface OcrEngine {
  read(image: Grey): OcrReading
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

const mostNamed = 40
/** Of 100, by letters: what is read in another language, or upside down, stays below. */
const readWell = 75
/** Languages of one script that are tried where none reads the page well. */
const maxTried = 4
/** No other language of the script would read it better. */
const readSurely = 90
/** Of the part that orientation and script are detected on, in inches. */
const partForDetection = { height: 2, width: 4 }
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
  return {
    read(image) {
      const page = new PageReader(image, wanted ? undefined : installed)
      const reading = page.read(
        before ?? { script: latin.script, language: first, turns: 0 },
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
  readonly #image: Grey
  readonly #installed: readonly string[] | undefined

  constructor(image: Grey, installed: readonly string[] | undefined) {
    this.#image = image
    this.#installed = installed
  }

  read(assumption: Assumption, isFirst: boolean): OcrReading {
    this.assumption = assumption
    // A page in a language that is named, or like the page before, is read at once; else a strip of it is tried.
    let isWhole = !isFirst || this.#installed === undefined
    let words = isWhole ? this.#words(assumption) : this.#strip(assumption)
    if (!this.#isReadWell(words)) {
      const sample = isWhole ? this.#strip(assumption) : words
      const seen = detectOrientation(densestPart(this.#upright(0), partForDetection))
      const missingScript = seen && this.#missing(seen, sample)
      if (missingScript !== undefined && seen)
        return { words: [], languages: [], image: this.#upright(0), turns: 0, missingScript }
      const better = seen && this.#better(seen, sample)
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
  #better({ turns, script: reported }: Orientation, words: readonly OcrWord[]): OcrWord[] | undefined {
    const before = this.assumption
    const script = scriptOf(reported)
    let best = { assumption: before, words, confidence: meanConfidence(words) }
    const own = this.#candidates(script)
      .filter((language) => language !== before.language)
      .slice(0, maxTried)
    const tried = [
      // The detection of the turn is more reliable than that of the script, so the script before is tried as well.
      ...(turns === before.turns ? [] : [before]),
      ...(script === before.script ? [] : own.map((language) => ({ script, language }))),
    ]
    for (const each of tried) {
      const assumption = { ...each, turns }
      const read = this.#strip(assumption)
      const confidence = meanConfidence(read)
      if (confidence > best.confidence) best = { assumption, words: read, confidence }
      if (confidence >= (hasFrequentWords(each.language) ? readWell : readSurely)) break
    }
    if (best.assumption === before) return undefined
    this.assumption = best.assumption
    return [...best.words]
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

  #words({ language, turns }: Assumption): OcrWord[] {
    return recogniseWords(this.#upright(turns), language)
  }

  /** Without the lines that the edges of the strip cut. */
  #strip({ language, turns }: Assumption): OcrWord[] {
    const strip = textStrip(this.#upright(turns))
    const isWhole = ({ top, height }: OcrWord): boolean =>
      top > roundedBy && top + height < strip.height - roundedBy
    return recogniseWords(strip, language).filter(isWhole)
  }
}

const textsOf = (words: readonly OcrWord[]): string[] => words.map(({ text }) => text)

/** Dots by which boxes of words are too small. */
const roundedBy = 2

/** Tesseract's own measure. It takes noise and pictures for rare scripts, and is not sure of it then. */
const leastScriptConfidence = 2
/** Of 100: letters of another script are not read better. */
const mostOfForeign = 60
