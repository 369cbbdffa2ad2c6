import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberReader } from './cell-numbers.ts'

const alone = (text: string) => numberReader([])(text)

describe('numbers in cells', () => {
  it.each([
    ['0', 0, '0'],
    ['2019', 2019, '0'],
    ['-5', -5, '0'],
    ['−5.25', -5.25, '0.00'],
    ['12,5', 12.5, '0.0'],
    ['1,234.50', 1234.5, '#,##0.00'],
    ['1.234,50', 1234.5, '#,##0.00'],
    ['1 234,50', 1234.5, '#,##0.00'],
    ["1'234.50", 1234.5, '#,##0.00'],
    ['1,234,567', 1_234_567, '#,##0'],
    ['12.5%', 0.125, '0.0%'],
    ['7,43 €', 7.43, '0.00" €"'],
    ['$1,250.03', 1250.03, '"$"#,##0.00'],
    ['0.123', 0.123, '0.000'],
  ])('%s', (text, value, format) => expect(alone(text)).toMatchObject({ value, format }))

  it.each([
    ...['', 'abc', '12a', '007', '00', '1,234', '1.234', '12 345', '+5', '(5)', '4.03.2026', '2024-11'],
    ...['1,23,456', '1.2.3', '1,2,3', '10:30', '=1+1', '-', '1 2', '0,5 %x', '€ 5 €', '1234567890123456'],
  ])('%s stays text', (text) => expect(alone(text)).toBeUndefined())

  it('what can be read in two ways is read as the rest of the document, where that agrees', () => {
    expect(numberReader(['12.5', '1,234'])('1,234')?.value).toBe(1234)
    expect(numberReader(['12,5', '1,234'])('1,234')?.value).toBe(1.234)
    expect(numberReader(['12,5', '12.5', '1,234'])('1,234')).toBeUndefined()
  })

  it('whatever a locale writes is read as it was meant, or not at all', () => {
    const locales = ['en-US', 'de-DE', 'de-CH', 'fr-FR', 'pl-PL', 'ru-RU', 'en-IN', 'sv-SE']
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }),
        fc.integer({ min: 0, max: 4 }),
        (locale, whole, decimals) => {
          const value = whole / 10 ** decimals
          const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
          const read = alone(value.toLocaleString(locale, digits))
          if (read) expect(read.value).toBe(value + 0)
        },
      ),
      { numRuns: 500 },
    )
  })
})
