import { ConversionFailure } from '../failure.ts'

// Limits against page bombs and path bombs. Real documents are well below them.
export const limits = {
  pages: 3000,
  /** Maximum number of drawing operations that are analysed on one page; the rest is only rendered. */
  objectsPerPage: 60_000,
  objects: 3_000_000,
  /** Maximum number of path segments on one page; rendering more takes minutes. */
  segmentsPerPage: 600_000,
  glyphsPerPage: 200_000,
  glyphs: 12_000_000,
  formDepth: 12,
  pixelsPerPicture: 40_000_000,
  picturesPerPage: 400,
  tags: 400_000,
  bookmarks: 5000,
}

export function tooManyPages(pages: number): ConversionFailure {
  return new ConversionFailure(
    'too-complex',
    `The PDF has ${pages} pages; at most ${limits.pages} are converted. Split it and try again.`,
  )
}

export function tooMuch(what: string): ConversionFailure {
  return new ConversionFailure(
    'too-complex',
    `The PDF holds too many ${what} to be converted. Split it and try again.`,
  )
}
