import type { PageLines } from './lines/lines.ts'
import type { OcrEngine, OcrReading } from './read/ocr/engine.ts'
import type { PdfDocument } from './read/page.ts'

// What the caller should know about how the PDF was read.

export interface Facts {
  pages: number
  words?: number
  pictures?: number
  /** Pages whose text was recognised from a picture, by their numbers in the file. */
  recognised: number[]
  /** Scanned pages on which no text could be recognised. */
  unread: number[]
  languages: string[]
  /** Scripts on the pages that no installed language is written in, such as `Armenian`. */
  missingScripts: string[]
  /** Mean over the recognised words, 0 to 1. */
  confidence: number | null
}

export interface Listener {
  /** OCR itself, whose words are listened to. */
  listen(ocrEngine: OcrEngine | undefined): OcrEngine | undefined
  facts(pdf: PdfDocument, lines: readonly PageLines[]): Facts
  /** Of the recognition alone; pages by their places, from 1. */
  recognition(): Pick<Facts, 'recognised' | 'languages' | 'missingScripts' | 'confidence'>
}

/** `pagesRead` is how many pages have been read when a word is recognised on the next one. */
export function listenToRecognition(pagesRead: () => number): Listener {
  const recognised = new Set<number>()
  const languages = new Set<string>()
  let [sum, count] = [0, 0]
  const missingScripts = new Set<string>()
  const note = ({ words, languages: used, missingScript }: OcrReading) => {
    if (missingScript !== undefined) missingScripts.add(missingScript)
    if (words.length === 0) return
    recognised.add(pagesRead() + 1)
    for (const language of used) languages.add(language)
    for (const { confidence } of words) sum += confidence
    count += words.length
  }
  const recognition = () => ({
    recognised: [...recognised],
    languages: [...languages],
    missingScripts: [...missingScripts],
    confidence: count === 0 ? null : sum / count / 100,
  })
  return {
    recognition,
    listen: (ocrEngine) =>
      ocrEngine && {
        ...ocrEngine,
        read(image) {
          const reading = ocrEngine.read(image)
          note(reading)
          return reading
        },
      },
    facts: (pdf, lines) => ({
      ...recognition(),
      pages: pdf.pages.length,
      words: lines.reduce(
        (all, { textRuns }) => all + textRuns.reduce((on, { words }) => on + words.length, 0),
        0,
      ),
      pictures: pdf.pages.reduce((all, { pictures }) => all + pictures.length, 0),
      recognised: [...recognised].map((place) => pdf.numbers[place - 1] ?? place),
      unread: pdf.pages.flatMap(({ scan }, index) =>
        scan && lines[index]?.textRuns.length === 0 ? [pdf.numbers[index] ?? index + 1] : [],
      ),
    }),
  }
}
