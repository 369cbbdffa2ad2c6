/** The pixels of an image, read in strips so that no second copy of it is in memory. */
export interface Pixels {
  width: number
  height: number
  /** RGBA, 8 bits each, from the top. */
  rows(first: number, count: number): Uint8ClampedArray
}

const stripPixels = 4_000_000

/** Calls `use` with each strip, from the top; reports progress. */
export async function eachStrip(
  { width, height, rows }: Pixels,
  onProgress: (fraction: number) => void,
  use: (strip: Uint8ClampedArray) => Promise<void> | void,
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(stripPixels / width))
  for (let first = 0; first < height; first += atOnce) {
    const count = Math.min(atOnce, height - first)
    await use(rows(first, count))
    onProgress((first + count) / height)
  }
}
