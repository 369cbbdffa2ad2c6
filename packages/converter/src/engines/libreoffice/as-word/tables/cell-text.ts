import type { Face } from './text-widths.ts'
import { advancesOf } from './text-widths.ts'

// The widths of a cell's text: that of the widest word, which Word does not break, and that of the widest line. A word
// may consist of several runs.

export interface TextFormat extends Face {
  /** In twips. */
  size: number
  /** Added to each character, in twips. */
  spacing: number
  isCaps: boolean
}

export interface CellText {
  /** Indents at the start and the end of a line. */
  startParagraph(first: number, rest: number): void
  add(text: string, format: TextFormat): void
  /** A picture or another unbreakable object. */
  addObject(width: number): void
  endWord(): void
  endLine(): void
  readonly min: number
  readonly max: number
  /** False if a character or a font is unknown. */
  readonly isKnown: boolean
}

/** Characters between which Word breaks lines. They are one em wide. */
const eastAsian = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3ffff}]/u
const spaces = new Set(' \u2002\u2003\u2009\u200b')
const breakAfter = new Set('-\u00ad\u2010\u2012\u2013\u2014')
/** Zero-width characters that join words. */
const joiners = new Set('\u2060\ufeff\u200c\u200d')

export function createCellText(): CellText {
  let [min, max, word, line, first, rest] = [0, 0, 0, 0, 0, 0]
  let isKnown = true
  let isFirstWord = true
  const endWord = () => {
    if (word > 0) {
      min = Math.max(min, word + (isFirstWord ? first : rest))
      isFirstWord = false
    }
    word = 0
  }
  const endLine = () => {
    endWord()
    if (line > 0) max = Math.max(max, line + first)
    line = 0
  }
  const addWidth = (width: number) => {
    word += width
    line += width
  }
  const addObject = (width: number) => {
    endWord()
    addWidth(width)
    endWord()
  }
  return {
    startParagraph(atFirst, atRest) {
      endLine()
      first = atFirst
      rest = atRest
      isFirstWord = true
    },
    add(text, format) {
      const advances = advancesOf(format)
      for (const character of format.isCaps ? text.toUpperCase() : text) {
        const advance = advances?.get(character.codePointAt(0) ?? 0)
        if (joiners.has(character)) continue
        if (character > '\u1000' && eastAsian.test(character)) {
          addObject(format.size + format.spacing)
          continue
        }
        if (advance === undefined) {
          isKnown = false
          return
        }
        const width = advance * format.size + format.spacing
        if (spaces.has(character)) {
          endWord()
          line += width
        } else addWidth(width)
        if (breakAfter.has(character)) endWord()
      }
    },
    addObject,
    endWord,
    endLine,
    get min() {
      return min
    },
    get max() {
      return max
    },
    get isKnown() {
      return isKnown
    },
  }
}
