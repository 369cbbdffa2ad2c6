import { expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { restoreUtf8 } from './double-encoded.ts'

const restored = (text: string): string =>
  restoreUtf8(glyphsOf(text, 10, 100))
    .map((g) => g.text)
    .join('')

it('restores UTF-8 that was written byte by byte, and leaves accents beside punctuation', () => {
  expect(restored('â€¢ It isnâ€™t')).toBe('• It isn’t')
  expect(restored('â\u0080¢ One')).toBe('• One')
  expect(restored('«ÉTÉ», mû')).toBe('«ÉTÉ», mû')
  expect(restored('â\u0081 la')).toBe('â  la')
})
