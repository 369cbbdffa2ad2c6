/** Largest file. */
export const maxBytes = 256 * 1024 * 1024
/** Largest image: 400 MB when it is decoded. */
export const maxPixels = 100_000_000
/** Longest side of a canvas in current browsers. */
export const maxSide = 32_767
