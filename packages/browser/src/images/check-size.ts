import { BrowserConversionError } from '../failure.ts'
import { maxPixels, maxSide } from '../limits.ts'
import type { Size } from './declared-size.ts'

export function checkSize({ width, height }: Size): void {
  if (width * height > maxPixels || width > maxSide || height > maxSide) {
    const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`
    throw new BrowserConversionError(
      'too-large',
      `The image has ${size} pixels. A browser converts up to ${maxPixels / 1_000_000} million pixels.`,
    )
  }
}
