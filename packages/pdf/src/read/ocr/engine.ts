import { ConversionFailure } from '../../failure.ts'
import { densestPart, type Grey, turn } from './grey.ts'
import { hasFrequentWords, languageOf, languagesOf, scriptOf } from './languages.ts'
import { straightened } from './skew.ts'
import { detectOrientation, installedLanguages, type Orientation, recogniseWords } from './tesseract.ts'
import { meanConfidence, type OcrWord, sureWords, turnsOf } from './words.ts'

// Text of scanned pages, read by tesseract where it is installed.
//
// A page is first read as the page before it: in its language, and with its turn. The first page of a document is tried
// by a strip of it, in English. Only where the result is poor is the orientation and the script detected, which costs
// half as much as reading the page, and the detection is followed only where the strip is then read better. The words
// themselves decide between the languages of a script.

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
/** Of a page's height: enough lines to know a language by. */
const shareOfStrip = 0.2
/** Languages of one script that are tried where words do not decide. */
const mostTried = 2
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
    // A page like the one before is read at once; else a strip of it is tried.
    let words = isFirst ? this.#strip(assumption) : this.#words(assumption)
    let isWhole = !isFirst
    if (meanConfidence(words) < readWell) {
      const sample = isWhole ? this.#strip(assumption) : words
      const seen = detectOrientation(densestPart(this.#upright(0), shareOfStrip, 0.5))
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

  /** The words of the strip, read as detected, where that is better than before. */
  #better({ turns, script }: Orientation, words: readonly OcrWord[]): OcrWord[] | undefined {
    const before = this.assumption
    let best = { assumption: before, words, confidence: meanConfidence(words) }
    // The detection of the turn is more reliable than that of the script, so the script before is tried as well.
    const tried = [
      before,
      ...this.#candidates(scriptOf(script))
        .slice(0, 1 + mostTried)
        .map((language) => ({ script: scriptOf(script), language })),
    ]
    for (const { language, script: own } of tried) {
      const assumption = { script: own, language, turns }
      if (language === before.language && turns === before.turns) continue
      const read = this.#strip(assumption)
      const confidence = meanConfidence(read)
      if (confidence > best.confidence) best = { assumption, words: read, confidence }
      if (confidence >= readWell && hasFrequentWords(language)) break
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
    return this.#installed
      ? languageOf(
          words.map(({ text }) => text),
          language,
          this.#candidates(script),
        )
      : language
  }

  #upright(turns: number): Grey {
    const known = this.#images.get(turns)
    if (known) return known
    const image = straightened(turn(this.#image, turns))
    this.#images.set(turns, image)
    return image
  }

  #words({ language, turns }: Assumption): OcrWord[] {
    return recogniseWords(this.#upright(turns), language)
  }

  #strip({ language, turns }: Assumption): OcrWord[] {
    return recogniseWords(densestPart(this.#upright(turns), shareOfStrip, 1), language)
  }
}

/** Tesseract's own measure. It takes noise and pictures for rare scripts, and is not sure of it then. */
const leastScriptConfidence = 2
/** Of 100: letters of another script are not read better. */
const mostOfForeign = 60
