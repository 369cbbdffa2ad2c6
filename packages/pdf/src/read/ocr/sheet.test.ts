import { expect, test } from 'vitest'
import { sheetOf } from './sheet.ts'

test('words that are smaller than their margins fit on the sheet', () => {
  const image = { width: 100, height: 100, pixels: new Uint8Array(10_000), dotsPerInch: 300 }
  const word = { left: 40, top: 40, width: 2, height: 2, text: '', confidence: 0, line: '' }
  const { image: picture, places } = sheetOf([word, word], image, 4)
  expect(places).toHaveLength(2)
  expect(picture.pixels).toHaveLength(picture.width * picture.height)
})
