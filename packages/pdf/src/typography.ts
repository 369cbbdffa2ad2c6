// What holds for most printed text, where a page does not say it itself. Lengths are in ems unless they say points.

/** Of the text, in points, where no glyph has a size: the usual size of documents. */
export const usualSize = 10
/** A lower-case letter has its middle this far above the baseline: half of an x-height. */
export const middleOfLetters = 0.3
/** How far letters reach below the baseline: the tails of g and p. */
export const tailOfLetters = 0.22
/** How far letters reach above the baseline, where a font does not define it. */
export const usualAscent = 0.9
/** PDF and print count so. */
export const pointsPerInch = 72
