import { expect, test } from 'vitest'
import { withoutMargin } from './tesseract.ts'

test('words in tables are as high as their letters, whatever specks are around', () => {
  const image = { width: 40, height: 40, pixels: new Uint8Array(1600).fill(255), dotsPerInch: 200 }
  for (let y = 12; y < 20; y++) image.pixels.fill(0, 40 * y + 10, 40 * y + 30)
  image.pixels[40 * 25 + 12] = 0
  const word = { left: 8, top: 8, width: 24, height: 24, text: 'Total', confidence: 90, line: '1' }
  expect(withoutMargin(image, word)).toEqual({ ...word, top: 12, height: 8 })
  const blank = { ...word, top: 0, height: 6 }
  expect(withoutMargin(image, blank)).toEqual(blank)
})
