import { onePage } from '@kiln/test-support/pdf-file.ts'
import { describe, expect, it } from 'vitest'
import { convertPdf } from '../src/convert.ts'

/** A path with round corners. */
const rounded = (x: number, y: number, w: number, h: number): string =>
  `${x + 8} ${y} m ${x + w - 8} ${y} l ${x + w} ${y} ${x + w} ${y} ${x + w} ${y + 8} c ${x + w} ${y + h} l ${x} ${y + h} l ${x} ${y + 8} l ${x} ${y} ${x} ${y} ${x + 8} ${y} c`
const words = 'BT /F1 12 Tf 120 650 Td (Keep it dry.) Tj ET'
const markdownOf = async (content: string): Promise<string> =>
  Buffer.from(await convertPdf(onePage(content), 'md'))
    .toString('utf8')
    .trim()

describe('words inside a drawing', () => {
  it('are text if the drawing only encloses them', async () => {
    expect(await markdownOf(`${rounded(100, 600, 300, 100)} s ${words}`)).toBe('Keep it dry.')
    const withShadow = `.9 g ${rounded(101, 599, 300, 100)} f 1 g ${rounded(100, 600, 300, 100)} b 0 g ${words}`
    expect(await markdownOf(withShadow)).toBe('Keep it dry.')
  })

  it('are its alternative text if it shows something', async () => {
    const curve = '100 600 m 200 700 300 500 400 700 c S'
    expect(await markdownOf(`${rounded(100, 600, 300, 100)} s ${curve} ${words}`)).toBe('![Keep it dry.]()')
  })
})
