import type { PageLines } from './lines/lines.ts'
import type { OcrEngine } from './read/ocr/engine.ts'
import type { OcrReading } from './read/ocr/reading.ts'
import type { PdfDocument } from './read/page.ts'

// Facts about the input and about OCR for the caller.

export interface Facts {
  pages: number
  words?: number
  pictures?: number
  /** Pages with text from OCR, by their numbers in the file. */
  recognised: number[]
  /** Scanned pages on which no text was found. */
  unread: number[]
  /** Pages on which OCR failed or exceeded its time limit. */
  failed: number[]
  languages: string[]
  /** Scripts on the pages that no installed language uses, such as `Armenian`. */
  missingScripts: string[]
  /** Mean over the words from OCR, 0 to 1. */
  confidence: number | null
}

export interface Listener {
  /** Wraps the OCR engine in order to record its results. */
  listen(ocrEngine: OcrEngine | undefined): OcrEngine | undefined
  /** `isScan` is true for each page that is a picture of paper. */
  facts(pdf: PdfDocument, lines: readonly PageLines[], isScan: readonly boolean[]): Facts
  /** Facts about OCR only; pages by position, from 1. */
  recognition(): Omit<Facts, 'pages' | 'words' | 'pictures' | 'unread'>
}

/** `pagesRead` returns the number of pages read before the page that OCR works on. */
export function listenToRecognition(pagesRead: () => number): Listener {
  const recognised = new Set<number>()
  const failed = new Set<number>()
  const languages = new Set<string>()
  let [sum, count] = [0, 0]
  const missingScripts = new Set<string>()
  const note = ({ words, languages: used, missingScript, isFailed }: OcrReading) => {
    if (isFailed) failed.add(pagesRead() + 1)
    if (missingScript !== undefined) missingScripts.add(missingScript)
    if (words.length === 0) return
    recognised.add(pagesRead() + 1)
    for (const language of used) languages.add(language)
    for (const { confidence } of words) sum += confidence
    count += words.length
  }
  const recognition = () => ({
    recognised: [...recognised],
    failed: [...failed],
    languages: [...languages],
    missingScripts: [...missingScripts],
    confidence: count === 0 ? null : sum / count / 100,
  })
  return {
    recognition,
    listen: (ocrEngine) =>
      ocrEngine && {
        ...ocrEngine,
        read(image, isText = () => true) {
          const reading = ocrEngine.read(image)
          note(isText(reading) ? reading : { ...reading, words: [] })
          return reading
        },
      },
    facts(pdf, lines, isScan) {
      const numberAt = (place: number): number => pdf.numbers[place - 1] ?? place
      return {
        ...recognition(),
        pages: pdf.pages.length,
        words: lines.reduce(
          (all, { textRuns }) => all + textRuns.reduce((on, { words }) => on + words.length, 0),
          0,
        ),
        pictures: pdf.pages.reduce((all, { pictures }) => all + pictures.length, 0),
        recognised: [...recognised].map(numberAt),
        failed: [...failed].map(numberAt),
        unread: lines.flatMap(({ textRuns }, index) =>
          isScan[index] && textRuns.length === 0 && !failed.has(index + 1) ? [numberAt(index + 1)] : [],
        ),
      }
    },
  }
}
