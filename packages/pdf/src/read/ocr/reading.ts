import type { Grey } from './grey.ts'
import type { OcrWord } from './words.ts'

/** What OCR reads on a page. */
export interface OcrReading {
  words: OcrWord[]
  /** The languages that the words were read in. */
  languages: readonly string[]
  /** The picture that was read, upright and deskewed. */
  image: Grey
  /** Clockwise quarter turns that made the picture upright. */
  turns: number
  /** The script of the page, if no installed language uses it. */
  missingScript?: string
  /** Tesseract failed or exceeded the time limit of a page. */
  isFailed?: boolean
}
