import { ConversionFailure } from '../failure.ts'

// Bounds against page bombs and path bombs. Real documents stay far below them.
export const limits = {
  pages: 3000,
  /** Drawing operations read on one page; what lies beyond is drawn, not analysed. */
  objectsPerPage: 60_000,
  objects: 3_000_000,
  /** Lines and curves of one page's paths; painting more takes minutes. */
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
