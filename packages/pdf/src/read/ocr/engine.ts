import { ConversionFailure } from '../../failure.ts'
import type { Grey } from './grey.ts'
import { type Assumption, latin, PageReader } from './page-reader.ts'
import type { OcrReading } from './reading.ts'
import { gutterOf, halvesOf, joined } from './spread.ts'
import { installedLanguages } from './tesseract.ts'

// OCR of scanned pages with tesseract, if it is installed.

export interface OcrEngine {
  /** `isText` tells whether the words are used, for those who count them: words in a drawing are not. */
  read(image: Grey, isText?: (reading: OcrReading) => boolean): OcrReading
  /** Starts OCR of a picture for which `read` will be called; false if nothing is known about the document yet. */
  readAhead?(image: () => Grey | undefined): boolean
}

const maxNamed = 40

let installedNames: { names: string[] | undefined } | undefined

/** For one document. `wanted` are languages; by default those that the pages are in. */
export function findOcrEngine(wanted?: readonly string[]): OcrEngine | undefined {
  installedNames ??= { names: installedLanguages() }
  const installed = installedNames.names?.filter((name) => name !== 'osd') ?? []
  const [any] = installed
  if (any === undefined) return undefined
  const missing = wanted?.filter((language) => !installed.includes(language)) ?? []
  if (missing.length > 0)
    throw new ConversionFailure(
      'unsupported',
      `Text recognition here does not know the language ${missing.join(', ')}. It knows ${installed.slice(0, maxNamed).join(', ')}.`,
    )
  const first = wanted?.join('+') ?? (installed.includes(latin.language) ? latin.language : any)
  let before: Assumption | undefined
  const begun = new Map<Grey, PageReader>()
  const readerOf = (image: Grey) => new PageReader(image, wanted ? undefined : installed)
  const readPage = (image: Grey): OcrReading => {
    const page = begun.get(image) ?? readerOf(image)
    begun.delete(image)
    const reading = page.read(
      page.begun ?? before ?? { script: latin.script, language: first, turns: 0 },
      before === undefined,
    )
    if (reading.words.length > 0) before = page.assumption
    return reading
  }
  return {
    readAhead(imageOf) {
      if (!before) return false
      const image = imageOf()
      if (!image || gutterOf(image) !== undefined) return true
      const page = readerOf(image)
      page.begin(before)
      begun.set(image, page)
      return true
    },
    read(image) {
      const gutter = gutterOf(image)
      if (gutter === undefined) return readPage(image)
      const [left, right] = halvesOf(image, gutter)
      const reading = readPage(left)
      // The blank between two paragraphs of a page that was scanned sideways is not a gutter.
      return reading.turns === 0 ? joined(reading, readPage(right)) : readPage(image)
    },
  }
}
