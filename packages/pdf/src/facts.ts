import type { PageLines } from './lines/lines.ts'
import type { RecognisedWord, Recogniser } from './read/ocr.ts'
import type { PdfDocument } from './read/page.ts'

// What whoever sent the PDF should know of its reading.

export interface Facts {
  pages: number
  words: number
  pictures: number
  /** Pages whose text was recognised from a picture, by their numbers in the file. */
  recognised: number[]
  /** Scanned pages on which no text could be recognised. */
  unread: number[]
  languages: string[]
  /** Mean over the recognised words, 0 to 1. */
  confidence: number | null
}

export interface Listener {
  /** The recogniser itself, whose words are listened to. */
  listen(recogniser: Recogniser | undefined): Recogniser | undefined
  facts(pdf: PdfDocument, lines: readonly PageLines[]): Facts
}

/** `pagesRead` is how many pages have been read when a word is recognised on the next one. */
export function listenToRecognition(pagesRead: () => number): Listener {
  const recognised = new Set<number>()
  const languages = new Set<string>()
  let [sum, count] = [0, 0]
  const note = (words: readonly RecognisedWord[], spoken: string) => {
    if (words.length === 0) return
    recognised.add(pagesRead() + 1)
    for (const language of spoken.split('+')) languages.add(language)
    for (const { confidence } of words) sum += confidence
    count += words.length
  }
  return {
    listen: (recogniser) =>
      recogniser && {
        ...recogniser,
        read(png) {
          const words = recogniser.read(png)
          note(words, recogniser.languages)
          return words
        },
      },
    facts: (pdf, lines) => ({
      pages: pdf.pages.length,
      words: lines.reduce(
        (all, { pieces }) => all + pieces.reduce((on, { words }) => on + words.length, 0),
        0,
      ),
      pictures: pdf.pages.reduce((all, { pictures }) => all + pictures.length, 0),
      recognised: [...recognised].map((place) => pdf.numbers[place - 1] ?? place),
      unread: pdf.pages.flatMap(({ scan }, index) =>
        scan && lines[index]?.pieces.length === 0 ? [pdf.numbers[index] ?? index + 1] : [],
      ),
      languages: [...languages],
      confidence: count === 0 ? null : sum / count / 100,
    }),
  }
}
