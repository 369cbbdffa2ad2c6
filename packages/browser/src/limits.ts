/** Largest file, and largest sum of files that are merged. */
export const maxBytes = 256 * 1024 * 1024
/** Largest image: 400 MB when it is decoded. */
export const maxPixels = 100_000_000
/** Longest side of a canvas in current browsers. */
export const maxSide = 32_767
/** Maximum memory for the files of an archive, unpacked and packed again. */
export const maxUnpackedBytes = 512 * 1024 * 1024
/** Most files and folders of an archive. */
export const maxEntries = 10_000
