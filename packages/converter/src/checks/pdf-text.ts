import { countWords } from '../report/count-words.ts'
import { holdsNone } from './source/words.ts'

// The text of a PDF, as poppler extracted it: up to a megabyte that the file controls. Runs in the worker pool.

export interface TextFacts {
  wordCount: number
  /** None of the words of the source is in it. */
  lacksWords: boolean
}

export const textFacts = (text: string, sourceWords: readonly string[]): TextFacts => ({
  wordCount: countWords(text),
  lacksWords: holdsNone(sourceWords, text),
})
