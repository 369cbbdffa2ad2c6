import { execFileSync } from 'node:child_process'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { expect, it } from 'vitest'
import { findOcrEngine } from '../src/read/ocr/engine.ts'
import type { Grey } from '../src/read/ocr/grey.ts'
import { openWorkshop } from './office.ts'

// Pages are recognised side by side: what was begun before gives the same words.

function picture(text: string): Grey {
  const shop = openWorkshop()
  try {
    const file = shop.write('page.pdf', onePage(`BT /F1 24 Tf 72 700 Td (${text}) Tj ET`))
    const pgm = execFileSync('pdftoppm', ['-r', '100', '-gray', '-singlefile', file], { maxBuffer: 2 ** 24 })
    const head = /^P5\s(\d+)\s(\d+)\s255\s/.exec(pgm.subarray(0, 64).toString('latin1'))
    const [width, height] = [Number(head?.[1]), Number(head?.[2])]
    return { width, height, dotsPerInch: 100, pixels: Uint8Array.from(pgm.subarray(head?.[0].length)) }
  } finally {
    shop.close()
  }
}

it('a page that was begun is read once, and as one that was not', () => {
  const [first, second] = [
    picture('The potter left the bowls in the kiln'),
    picture('and waited until it was the morning'),
  ]
  const engine = findOcrEngine()
  // Without a page before it nothing is known of the language.
  expect(engine?.readAhead?.(() => second)).toBe(false)
  engine?.read(first)
  expect(engine?.readAhead?.(() => second)).toBe(true)
  const begun = engine?.read(second)
  expect(begun?.words.map(({ text }) => text).join(' ')).toBe('and waited until it was the morning')
  expect(engine?.read(second).words).toEqual(begun?.words)
})
