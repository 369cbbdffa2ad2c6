// Defaults for printed text, used if a page does not show the value. Lengths are in ems unless they say points.

/** Default font size in points if no glyph has a size. */
export const usualSize = 10
/** Height of the middle of a lower-case letter above the baseline: half of the x-height. */
export const middleOfLetters = 0.3
/** Descent: depth of descenders such as g and p below the baseline. */
export const tailOfLetters = 0.22
/** Default ascent, if a font does not define it. */
export const usualAscent = 0.9
export const pointsPerInch = 72
