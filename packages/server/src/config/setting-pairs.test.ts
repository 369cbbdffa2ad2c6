import { pairs } from '@kiln/converter/catalog'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { offerOf } from './setting-pairs.ts'

const offer = (env: Record<string, string>) => {
  const config = parseConfig(env)
  return offerOf(config.pairs, config.prices)
}
const slugs = (KILN_PAIRS: string) => offer({ KILN_PAIRS }).map(({ slug }) => slug)

describe('the pairs that an operator offers', () => {
  test('are all of them, at the prices of the catalogue, unless something is said', () => {
    expect(offer({})).toEqual(pairs)
  })

  test('are named one by one, by a format, or by what is taken away', () => {
    expect(slugs('md-to-html, docx-to-pdf')).toEqual(['docx-to-pdf', 'md-to-html'])
    expect(slugs('*-to-gif')).toEqual(pairs.filter(({ to }) => to === 'gif').map(({ slug }) => slug))
    expect(slugs('!*-to-mp4,!pdf-to-*')).toEqual(
      pairs.filter(({ from, to }) => to !== 'mp4' && from !== 'pdf').map(({ slug }) => slug),
    )
    expect(slugs('md-to-*, !md-to-docx, md-to-docx')).toEqual(slugs('md-to-*'))
  })

  test('cost what the operator says, the later word counting', () => {
    const priced = offer({ KILN_PRICES: '*-to-pdf=3, md-to-pdf = 2', KILN_PAIRS: 'md-to-*,docx-to-pdf' })
    expect(priced.find(({ slug }) => slug === 'docx-to-pdf')?.credits).toBe(3)
    expect(priced.find(({ slug }) => slug === 'md-to-pdf')?.credits).toBe(2)
    expect(priced.find(({ slug }) => slug === 'md-to-html')?.credits).toBe(1)
  })

  test.each([
    ['KILN_PAIRS', 'docx-to-pfd', '"docx-to-pfd" names no pair'],
    ['KILN_PAIRS', 'docx-to-pdf,', '"" names no pair'],
    ['KILN_PAIRS', 'constructor', '"constructor" names no pair'],
    ['KILN_PAIRS', 'md-to-html,!*-to-*', 'nothing is left to offer'],
    ['KILN_PRICES', 'md-to-html', '"md-to-html" is not a price'],
    ['KILN_PRICES', 'md-to-html=0', '"md-to-html=0" is not a price'],
    ['KILN_PRICES', 'md-to-html=1.5', '"md-to-html=1.5" is not a price'],
    ['KILN_PRICES', 'md-to-html=9999999', '"md-to-html=9999999" is not a price'],
    ['KILN_PRICES', 'nothing-to-html=1', '"nothing-to-html" names no pair'],
  ])('%s=%s is refused with a sentence', (name, value, sentence) => {
    expect(() => parseConfig({ [name]: value })).toThrow(`${name} is "${value}", but ${sentence}`)
  })
})
